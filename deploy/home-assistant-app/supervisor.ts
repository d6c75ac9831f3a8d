/** The broker of the Mosquitto app, as the Supervisor hands it out. */
export interface Broker {
  url: string
  username?: string
  password?: string
}

interface MqttService {
  host: string
  port: number
  ssl?: boolean
  username?: string
  password?: string
}

const TIMEOUT_MS = 10_000

/** What an app asks its Supervisor; without a token there is none, as when the script is tried by hand. */
export class Supervisor {
  readonly #url: string
  readonly #token: string | undefined

  constructor(url: string, token: string | undefined) {
    this.#url = url
    this.#token = token
  }

  /** Nothing where no MQTT app is installed, or the Supervisor does not answer. */
  async broker(): Promise<Broker | undefined> {
    const answer = await this.#ask('GET', '/services/mqtt').catch(() => undefined)
    if (!answer?.ok) return undefined
    const { host, port, ssl, username, password } = ((await answer.json()) as { data: MqttService }).data
    return { url: `${ssl ? 'mqtts' : 'mqtt'}://${host}:${port}`, ...(username && { username, password }) }
  }

  /** Home Assistant then offers the integration; sent at every start, as it may have been declined or be new. */
  async announce(config: { host: string; port: number; installation: string }): Promise<void> {
    const answer = await this.#ask('POST', '/discovery', { service: 'hypocaust', config })
    if (answer && !answer.ok)
      throw new Error(`the Supervisor refused the discovery: ${answer.status} ${await answer.text()}`)
  }

  async #ask(method: string, path: string, body?: object): Promise<Response | undefined> {
    if (this.#token === undefined) return undefined
    return fetch(this.#url + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  }
}
