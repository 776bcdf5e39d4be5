@_exported import Trunkline
@_exported import TrunklineTesting
