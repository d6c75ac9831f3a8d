import { MINUTE_MS } from '@hypocaust/domain/facts'
import { GOOD_LINE } from './network.ts'
import type { Fault, Machine } from './plan.ts'
import type { Process } from './scheduler.ts'
import type { World } from './world.ts'

const FINE_MS = 4000
/** What a restarted service needs, beside the time it was away. */
const STARTS_WITHIN_MS = 10_000

/** Strikes now, and ends by itself. */
export function strike(world: World, fault: Fault): void {
  const { scheduler, network, devices, gateway, service } = world
  world.fine(FINE_MS)
  const later = (ms: number, work: () => void) => scheduler.in(ms, work, scheduler.outside)
  switch (fault.kind) {
    case 'crash':
      down(world, fault.of, fault.downMs, () => (fault.of === 'service' ? world.crashService() : world.crashGateway()))
      break
    case 'restart':
      if (fault.of === 'gateway') down(world, 'gateway', fault.downMs, () => world.stopGateway())
      else if (service.running) {
        world.disturb(fault.downMs + STARTS_WITHIN_MS)
        service.stop(() => later(fault.downMs, () => startService(world)))
      }
      break
    case 'reboot':
      world.wereClocksSet ||= !fault.isClockSet
      down(world, 'gateway', fault.downMs, () => {
        world.crashGateway()
        gateway.reboot()
        gateway.isClockSet = fault.isClockSet
        later(fault.downMs + 2 * MINUTE_MS, () => {
          gateway.isClockSet = true
        })
      })
      break
    case 'disk':
      failDisk(world, fault)
      break
    case 'cut':
      world.disturb(fault.forMs + 2 * MINUTE_MS)
      network.cut()
      later(fault.forMs, () => {
        network.line = { ...network.line, isCut: false }
      })
      break
    case 'break':
      world.disturb(MINUTE_MS)
      network.break()
      break
    case 'bad line': {
      const { lost, twice, latencyMs, forMs } = fault
      world.disturb(forMs + latencyMs)
      network.line = { ...network.line, lost, twice, latencyMs }
      later(forMs, () => {
        network.line = { ...GOOD_LINE, isCut: network.line.isCut }
        // What was lost with QoS 1 is sent again on the next connection.
        network.break()
      })
      break
    }
    case 'clock': {
      world.wereClocksSet = true
      const machine = fault.of === 'service' ? service : gateway
      // Times in the future are looked for every ten minutes.
      world.disturb(fault.forMs + 15 * MINUTE_MS)
      machine.clockOffMs += fault.byMs
      later(fault.forMs, () => {
        machine.clockOffMs -= fault.byMs
      })
      break
    }
    case 'house broker':
      world.disturbHouse(fault.forMs)
      devices.set(false)
      later(fault.forMs, () => devices.set(true))
      break
    case 'house noise':
      world.disturbHouse(fault.forMs)
      devices.lost = fault.lost
      later(fault.forMs, () => {
        devices.lost = 0
      })
      break
    case 'relay box':
      world.disturbHouse(0)
      devices.restartBox()
      break
    case 'silent sensor': {
      const { sensor } = devices.rooms[fault.room] ?? { sensor: '' }
      devices.silent.add(sensor)
      later(fault.forMs, () => devices.silent.delete(sensor))
      break
    }
    case 'cold': {
      const room = devices.rooms[fault.room]
      if (room) room.airC = 4
      break
    }
  }
}

function down(world: World, of: Machine, downMs: number, end: () => void): void {
  const { scheduler, gateway } = world
  world.disturb(downMs + STARTS_WITHIN_MS)
  if (of === 'gateway') world.disturbHouse(downMs + MINUTE_MS)
  end()
  scheduler.in(
    downMs,
    () => {
      world.fine(FINE_MS)
      if (of === 'service') startService(world)
      else if (!gateway.process) gateway.start()
    },
    scheduler.outside,
  )
}

function startService({ service, journal }: World): void {
  if (service.isStarted) return
  journal.note('service starts')
  service.start()
}

/** The operations of one machine's disk fail, after some that do not. */
function failDisk(world: World, fault: Fault & { kind: 'disk' }): void {
  const { of, work, failure, after, times, downMs } = fault
  world.disturb(downMs + STARTS_WITHIN_MS + MINUTE_MS)
  let left = after
  let failures = times
  world.disk.failureOf = (process, done) => {
    if (failures === 0 || done !== work || !process.name.startsWith(of === 'service' ? 'service' : 'agent')) return
    if (left-- > 0) return
    failures--
    disturbedByDisk(world, process, { of, work, failure, downMs })
    return failure
  }
}

type DiskFault = Pick<Fault & { kind: 'disk' }, 'of' | 'work' | 'failure' | 'downMs'>

/** What is wrong from now on, and that a process which ends by it is started again. */
export function disturbedByDisk(world: World, process: Process, { of, work, failure, downMs }: DiskFault): void {
  const { scheduler, journal, gateway } = world
  journal.note(`${process.name}: ${work} ${failure}`)
  world.disturb(downMs + STARTS_WITHIN_MS + MINUTE_MS)
  if (of === 'gateway') {
    gateway.isDiskBroken = true
    world.valves.doubt(scheduler.nowMs)
    world.disturbHouse(downMs + MINUTE_MS)
  }
  if (!failure.startsWith('crash')) return
  scheduler.in(
    downMs,
    () => {
      if (of === 'service') startService(world)
      else if (!gateway.process) gateway.start()
    },
    scheduler.outside,
  )
}
