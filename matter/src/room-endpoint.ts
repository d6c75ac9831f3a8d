import { matches, RoomPatch } from '@hypocaust/domain'
import type { ActionContext, Bytes, Endpoint } from '@matter/main'
import { BridgedDeviceBasicInformationServer } from '@matter/main/behaviors/bridged-device-basic-information'
import { DescriptorServer } from '@matter/main/behaviors/descriptor'
import { PowerSourceServer } from '@matter/main/behaviors/power-source'
import { RelativeHumidityMeasurementServer } from '@matter/main/behaviors/relative-humidity-measurement'
import { ThermostatServer } from '@matter/main/behaviors/thermostat'
import type { Thermostat } from '@matter/main/clusters/thermostat'
import { ThermostatDevice } from '@matter/main/devices/thermostat'
import { hasLocalActor } from '@matter/main/protocol'
import { StatusResponse } from '@matter/main/types'
import type { ControllerWrites } from './controller-writes.ts'
import { presetOfHandle } from './presets.ts'
import { celsiusOf, patchOfSystemMode } from './room-state.ts'

/** Apps look for humidity by the device type, not by the cluster. */
class RoomDescriptorServer extends DescriptorServer {
  override async initialize() {
    await super.initialize()
    this.addDeviceTypes('HumiditySensor')
  }
}

/** A preset is carried out by the service, which then says what the room is heated towards. */
class RoomThermostatServer extends ThermostatServer.with('Heating', 'Presets') {
  override setActivePresetRequest({ presetHandle }: Thermostat.SetActivePresetRequest) {
    if (presetHandle !== null && presetOfHandle(presetHandle) === null)
      throw new StatusResponse.InvalidCommandError('a room has no such preset')
    this.state.activePresetHandle = presetHandle
  }

  override atomicRequest(): Promise<never> {
    throw new StatusResponse.InvalidCommandError('the presets of a room are fixed')
  }
}

export const RoomEndpoint = ThermostatDevice.with(
  RoomDescriptorServer,
  RoomThermostatServer,
  BridgedDeviceBasicInformationServer,
  RelativeHumidityMeasurementServer,
  PowerSourceServer.with('Battery'),
)
export type RoomEndpoint = Endpoint<typeof RoomEndpoint>

/** A controller's write succeeds once the room has it; what we show ourselves passes. */
export function carryWrites({ id, events }: RoomEndpoint, writes: ControllerWrites): void {
  const { thermostat, bridgedDeviceBasicInformation: information } = events
  const written =
    <T>(carry: (value: T) => Promise<void>) =>
    async (value: T, _old: T, context: ActionContext) => {
      if (!hasLocalActor(context)) await carry(value)
    }
  thermostat.occupiedHeatingSetpoint$Changing.on(written((setpoint: number) => writes.dial(id, celsiusOf(setpoint))))
  thermostat.activePresetHandle$Changing.on(
    written((handle: Bytes | null) => writes.choose(id, presetOfHandle(handle))),
  )
  thermostat.systemMode$Changing.on(
    written(async (mode: number) => {
      const patch = patchOfSystemMode(mode)
      if (!patch) throw new StatusResponse.ConstraintErrorError('a floor can only heat or be off')
      await writes.carry(id, patch)
    }),
  )
  information.nodeLabel$Changing?.on(
    written(async (name: string) => {
      const patch = { name }
      if (!matches(RoomPatch, patch)) throw new StatusResponse.ConstraintErrorError('a room needs a name')
      await writes.carry(id, patch)
    }),
  )
  const refuse = written(async () => {
    throw new StatusResponse.UnsupportedWriteError('the limits of a room are fixed')
  })
  thermostat.minHeatSetpointLimit$Changing?.on(refuse)
  thermostat.maxHeatSetpointLimit$Changing?.on(refuse)
}
