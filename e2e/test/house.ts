import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HouseFile } from '@hypocaust/domain'
import { openStore, rotateToken, systemClock } from '@hypocaust/service'
import { startMain } from '@hypocaust/testing/agent-process.ts'
import { type Running, start } from '@hypocaust/testing/command.ts'
import { type Holder, settleHolder } from '@hypocaust/testing/houses.ts'
import { freePort } from '@hypocaust/testing/ports.ts'

export type Agent = ReturnType<typeof startMain> & { folder: string }

/** A house with a service process of its own, which may end and start again on the same ports and the same disk. */
export class ServedHouse {
  readonly folder: string
  readonly holder: Holder
  readonly gatewayId: string
  readonly token: string
  readonly mqttPort: number
  #running: Running | undefined

  private constructor(folder: string, holder: Holder, token: string, mqttPort: number) {
    this.folder = folder
    this.holder = holder
    this.gatewayId = holder.gatewayIds[0] as string
    this.token = token
    this.mqttPort = mqttPort
  }

  static async build(house: HouseFile): Promise<ServedHouse> {
    const folder = mkdtempSync(join(tmpdir(), 'hypocaust-e2e-'))
    const store = await openStore(join(folder, 'data'))
    const holder = await settleHolder(store, systemClock, 'ada@example.org', house)
    const token = await rotateToken(store, systemClock, holder.gatewayIds[0] ?? '')
    await store.close()
    return new ServedHouse(folder, holder, token ?? '', await freePort())
  }

  get mqttUrl(): string {
    return `mqtt://127.0.0.1:${this.mqttPort}`
  }

  get dataFolder(): string {
    return join(this.folder, 'data')
  }

  async serve(): Promise<void> {
    const flags = ['--data', 'data', '--port', '0', '--mqtt-port', String(this.mqttPort), '--log-level', 'warn']
    this.#running = await start(this.folder, ['serve', ...flags])
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#running?.end(signal)
    this.#running = undefined
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields it expects
  async get(path: string): Promise<any> {
    const url = `${this.#running?.url}/v1/buildings/${this.holder.buildingId}${path}`
    return (await fetch(url, { headers: { 'x-api-key': this.holder.readKey } })).json()
  }

  async patch(roomId: string, body: object): Promise<void> {
    const url = `${this.#running?.url}/v1/buildings/${this.holder.buildingId}/rooms/${roomId}`
    const headers = { 'x-api-key': this.holder.writeKey, 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`PATCH: ${answer.status} ${await answer.text()}`)
  }

  /** The agent of its gateway as a process, with these devices on a broker of their own. */
  startAgent(devicesUrl: string, devices: string): Agent {
    const folder = join(this.folder, 'agent')
    mkdirSync(folder)
    const service = `service: { url: "${this.mqttUrl}", gateway_id: ${this.gatewayId}, token: ${this.token} }`
    writeFileSync(join(folder, 'gateway.yaml'), `${service}\ndevices: { url: "${devicesUrl}" }\n${devices}`)
    return { ...startMain(['run'], folder), folder }
  }

  async remove(): Promise<void> {
    await this.end('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}
