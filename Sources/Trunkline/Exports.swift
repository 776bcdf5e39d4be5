// Apps write `import Trunkline` and have the session core with it.
@_exported import TrunklineHTTP
