import type { GatewayStatus } from '@hypocaust/domain'
import { house, ID, Simulation } from '@hypocaust/testing/agent-simulation.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const MINUTE = 60
const PUMP = 9
const HOUSE = house(1, {}, `pump: { driver: tasmota, topic: manifold, output: ${PUMP} }`)

let cellar: Simulation
beforeEach(() => {
  cellar = new Simulation(HOUSE)
})
afterEach(() => cellar.end())

const configure = (agent?: string) => cellar.configure({ 1: 1 }, agent === undefined ? {} : { agent })
const statuses = () => cellar.taken<GatewayStatus>('status')

/** The service names the agent that reports that it drives. */
function answerAsService(): string {
  const boot = statuses().findLast(({ agent }) => agent === 'drives')?.boot
  if (boot === undefined) throw new Error('the agent has not reported that it drives')
  configure(boot)
  return boot
}

/** Connects, and receives the retained configuration. */
function connect(named?: string): void {
  cellar.connect()
  configure(named)
}

function loseSession(): void {
  cellar.service.connected = false
  cellar.pass(1)
}

const heats = () => {
  cellar.command(1, { 1: 1 })
  cellar.pass(10 * MINUTE)
  expect([cellar.relayIsOn(1), cellar.relayIsOn(PUMP)]).toEqual([true, true])
}

const isQuestion = ({ topic, payload }: { topic: string; payload: string }) =>
  /^cmnd\/manifold\/POWER\d+$/.test(topic) && payload === ''
const commands = () => cellar.devices.sent.splice(0).filter((message) => !isQuestion(message))

test('an agent reports that it drives once it knows that the service has named no other', () => {
  cellar.connect()
  cellar.pass(1)
  expect(statuses().map(({ agent }) => agent)).toEqual([undefined])
  configure()
  expect(statuses().at(-1)).toMatchObject({ agent: 'drives', host: 'cellar' })
})

test('an agent reports that it drives also where the configuration came before the subscription was confirmed', () => {
  configure()
  cellar.pass(1)
  cellar.connect()
  cellar.pass(1)
  expect(statuses().at(-1)).toMatchObject({ agent: 'drives', host: 'cellar' })
})

test('an agent that restarts goes on at once, also where the answer of the service was lost', () => {
  connect()
  const first = answerAsService()
  heats()
  cellar.restart()
  connect(first)
  const second = statuses().findLast(({ agent }) => agent === 'drives')?.boot
  expect(second).toBeDefined()
  cellar.restart()
  connect(second)
  expect(statuses().at(-1)).toMatchObject({ agent: 'drives' })
  cellar.restart()
  connect(first)
  expect(statuses().at(-1)).toMatchObject({ agent: 'drives' })
  cellar.pass(MINUTE)
  expect(cellar.logged.join()).not.toContain('stands by')
})

describe('an agent that finds another one named', () => {
  beforeEach(() => {
    connect()
    answerAsService()
    heats()
    loseSession()
    commands()
    connect('another')
  })

  test('stands by at once, and reports it', () => {
    expect(cellar.agent.isStandingBy).toBe(true)
    expect(statuses().at(-1)).toMatchObject({ agent: 'stands_by', host: 'cellar' })
    expect(cellar.logged.join()).toContain('this one stands by')
  })

  test('switches what does not go off by itself off once, because nobody else may reach it, and nothing more', () => {
    cellar.pass(5)
    expect(commands()).toEqual([{ topic: `cmnd/manifold/POWER${PUMP}`, payload: 'OFF', retain: false }])
    loseSession()
    cellar.pass(25 * MINUTE)
    expect(commands()).toEqual([])
  })

  test('reports nothing of the outputs', () => {
    cellar.taken('relays')
    cellar.pass(MINUTE - 1)
    expect(cellar.taken('relays')).toEqual([])
  })

  test('drives again when it has kept its session for a minute', () => {
    cellar.pass(MINUTE - 2)
    expect(cellar.agent.isStandingBy).toBe(true)
    cellar.pass(2)
    expect(cellar.agent.isStandingBy).toBe(false)
    expect(statuses().at(-1)).toMatchObject({ agent: 'drives' })
    configure('another')
    expect(cellar.agent.isStandingBy).toBe(false)
  })

  test('goes on where its line breaks after that, before the service could name it', () => {
    cellar.pass(MINUTE)
    loseSession()
    cellar.pass(10 * MINUTE)
    expect(cellar.agent.isStandingBy).toBe(false)
    expect(cellar.relayIsOn(1)).toBe(true)
    connect('another')
    expect(cellar.agent.isStandingBy).toBe(true)
  })

  test('does not count sessions that are shorter', () => {
    for (let i = 0; i < 3; i += 1) {
      cellar.pass(MINUTE / 2)
      loseSession()
      connect('another')
    }
    expect(cellar.agent.isStandingBy).toBe(true)
  })

  test('drives again half an hour after it has last reached the service: the house must not freeze', () => {
    loseSession()
    cellar.pass(29 * MINUTE)
    expect(cellar.agent.isStandingBy).toBe(true)
    cellar.pass(2 * MINUTE)
    expect(cellar.agent.isStandingBy).toBe(false)
    cellar.pass(10 * MINUTE)
    expect(cellar.relayIsOn(1)).toBe(true)
  })

  test('drives within seconds when the service names none any more, as after pairing anew', () => {
    configure()
    cellar.pass(3)
    expect(cellar.agent.isStandingBy).toBe(false)
    expect(statuses().at(-1)).toMatchObject({ agent: 'drives' })
  })
})

test('on one device broker the named agent stays, however long the other has driven', () => {
  connect()
  const boot = answerAsService()
  heats()
  const other = { instance: 'another', host: 'old-box', drives_s: 86_400 }
  cellar.hear(`hypocaust-${ID}/agent`, { ...other, refused: true })
  cellar.pass(5)
  configure(boot)
  expect(cellar.agent.isStandingBy).toBe(false)
  cellar.hear(`hypocaust-${ID}/agent`, { ...other, refused: false })
  configure('another')
  cellar.pass(10)
  const announced = cellar.devices.announced.at(-1)
  expect(JSON.parse(announced?.payload ?? '{}')).toMatchObject({ drives_s: null, refused: true })
})
