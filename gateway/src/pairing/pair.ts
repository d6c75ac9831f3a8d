import { ErrorBody, matches } from '@hypocaust/domain'
import Type from 'typebox'
import { GatewayError } from '../base/error.ts'
import { writeCredentials } from '../config/credentials.ts'
import { fetchAuthority } from './authority.ts'
import { exchange } from './exchange.ts'

const Paired = Type.Object({
  gateway_id: Type.String({ minLength: 1 }),
  token: Type.String({ minLength: 1 }),
  gateway: Type.String(),
  building: Type.String(),
  file: Type.Optional(Type.String()),
  mqtt: Type.Object({
    /** Where the broker is not where the service is. */
    host: Type.Optional(Type.String({ minLength: 1 })),
    port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    tls: Type.Boolean(),
  }),
})

export interface PairOptions {
  serviceUrl: string
  code: string
  dataFolder: string
  /** The authority to trust, PEM, in place of the system's. */
  ca?: string
  /** SHA-256 of the service's own authority, which is then fetched from it. */
  authority?: string
}

export interface PairResult {
  gatewayId: string
  gateway: string
  building: string
  mqttUrl: string
  /** Where the token was stored. */
  file: string
  /** The gateway.yaml of the box before, without secrets; null where the service has none. */
  gatewayFile: string | null
}

/** Exchanges the one-time code for this gateway's identity, and keeps it in the data folder. */
export async function pairGateway(options: PairOptions): Promise<PairResult> {
  const { serviceUrl, code, dataFolder, authority: fingerprint } = options
  const base = URL.parse(serviceUrl)
  if (!base || !/^https?:$/.test(base.protocol))
    throw new GatewayError(`${serviceUrl} is no address of a service; it looks like http://192.168.1.20:8080`)
  const ca = fingerprint === undefined ? (options.ca ?? null) : await fetchAuthority(base, fingerprint)
  const answer = await ask(new URL(`${base.pathname.replace(/\/$/, '')}/app/gateways/pair`, base), code, ca)
  if (!matches(Paired, answer)) throw new GatewayError(`${base.origin} did not answer like a Hypocaust service`)
  const { host = base.hostname, port, tls } = answer.mqtt
  const url = `${tls ? 'mqtts' : 'mqtt'}://${host}:${port}`
  const { gateway_id: gatewayId, token, gateway, building } = answer
  const file = writeCredentials(dataFolder, { url, gatewayId, token, ca })
  return { gatewayId, gateway, building, mqttUrl: url, file, gatewayFile: answer.file ?? null }
}

async function ask(url: URL, code: string, ca: string | null): Promise<unknown> {
  const { status, body } = await exchange(url, { json: { code: code.trim().toUpperCase() }, ca })
  const answer = parsed(body)
  if (status === 200) return answer
  const why = matches(ErrorBody, answer) ? answer.error.message : `status ${status}`
  throw new GatewayError(`${url.origin} refused the code: ${why}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
