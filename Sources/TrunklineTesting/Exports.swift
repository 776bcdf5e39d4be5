@_exported import TrunklineHTTP
