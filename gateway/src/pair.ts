import { ErrorBody, matches } from '@hypocaust/domain'
import Type from 'typebox'
import { writeCredentials } from './credentials.ts'
import { GatewayError } from './error.ts'

const TIMEOUT_MS = 15_000

const Paired = Type.Object({
  gateway_id: Type.String({ minLength: 1 }),
  token: Type.String({ minLength: 1 }),
  gateway: Type.String(),
  building: Type.String(),
  mqtt: Type.Object({ port: Type.Integer({ minimum: 1, maximum: 65_535 }), tls: Type.Boolean() }),
})

export interface PairOptions {
  serviceUrl: string
  code: string
  dataFolder: string
}

export interface PairResult {
  gatewayId: string
  gateway: string
  building: string
  mqttUrl: string
  /** Where the token was stored. */
  file: string
}

/** Exchanges the one-time code for this gateway's identity, and keeps it in the data folder. */
export async function pairGateway({ serviceUrl, code, dataFolder }: PairOptions): Promise<PairResult> {
  const base = URL.parse(serviceUrl)
  if (!base || !/^https?:$/.test(base.protocol))
    throw new GatewayError(`${serviceUrl} is no address of a service; it looks like https://heating.example`)
  const answer = await ask(new URL(`${base.pathname.replace(/\/$/, '')}/app/gateways/pair`, base), code)
  if (!matches(Paired, answer)) throw new GatewayError(`${base.origin} did not answer like a Hypocaust service`)
  const { port, tls } = answer.mqtt
  const url = `${tls ? 'mqtts' : 'mqtt'}://${base.hostname}:${port}`
  const { gateway_id: gatewayId, token, gateway, building } = answer
  const file = writeCredentials(dataFolder, { url, gatewayId, token, ca: null })
  return { gatewayId, gateway, building, mqttUrl: url, file }
}

async function ask(url: URL, code: string): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: code.trim().toUpperCase() }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new GatewayError(`${url.origin} cannot be reached: ${cause instanceof Error ? cause.message : cause}`)
  }
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok) return body
  const why = matches(ErrorBody, body) ? body.error.message : `status ${response.status}`
  throw new GatewayError(`${url.origin} refused the code: ${why}`)
}
