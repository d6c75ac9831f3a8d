import { rmSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { VirtualHouse } from '@hypocaust/simulator'
import { Failure } from '../failure.ts'

/** What can be done to the virtual house while the demo runs. */
export const HOUSE_DEEDS = {
  'pull-sensor': 'take the batteries out of a room’s sensor',
  'plug-sensor': 'put them back',
  breathe: 'breathe on a room’s sensor',
  'open-window': 'open a window in a room',
  'close-window': 'close it',
  'fail-boiler': 'let the boiler go out',
  'repair-boiler': 'light it again',
} as const

export type HouseDeed = keyof typeof HOUSE_DEEDS

const socketPath = (dataDir: string) => join(dataDir, 'house.sock')

/** Lets another terminal reach into the house. */
export function openHouseSocket(dataDir: string, house: VirtualHouse): { stop(): Promise<void> } {
  rmSync(socketPath(dataDir), { force: true })
  const server: Server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => {
      const [deed = '', roomName = ''] = data.toString().trim().split('\t')
      socket.end(carryOut(house, deed as HouseDeed, roomName))
    })
  })
  server.listen(socketPath(dataDir))
  return { stop: () => new Promise((resolve) => server.close(() => resolve())) }
}

function carryOut(house: VirtualHouse, deed: HouseDeed, roomName: string): string {
  const wanted = roomName.toLowerCase()
  const room = house.plan.rooms.find(({ name }) => name.toLowerCase() === wanted)
  if (deed === 'fail-boiler' || deed === 'repair-boiler') {
    if (deed === 'fail-boiler') house.failBoiler()
    else house.repairBoiler()
    return 'done'
  }
  if (!room) return `the house has no room ${roomName}; it has ${house.plan.rooms.map(({ name }) => name).join(', ')}`
  switch (deed) {
    case 'pull-sensor':
      house.pullSensor(room.sensorId)
      break
    case 'plug-sensor':
      house.plugSensor(room.sensorId)
      break
    case 'breathe':
      house.breatheOn(room.sensorId)
      break
    case 'open-window':
      house.openWindow(room.channel)
      break
    case 'close-window':
      house.closeWindow(room.channel)
      break
  }
  return 'done'
}

export function askHouse(dataDir: string, deed: HouseDeed, roomName: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketPath(dataDir))
    socket.on('connect', () => socket.write(`${deed}\t${roomName}\n`))
    socket.on('error', () =>
      reject(new Failure(`no demo is running on the data folder ${dataDir}. Start it with: npm start`)),
    )
    let answer = ''
    socket.on('data', (data) => {
      answer += data.toString()
    })
    socket.on('end', () => (answer === 'done' ? resolve() : reject(new Failure(answer))))
  })
}
