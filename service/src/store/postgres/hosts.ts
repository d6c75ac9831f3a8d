import pg from 'pg'
import { StartupError } from '../../base/startup-error.ts'
import { StoreError } from '../store.ts'
import { SILENCE_LIMIT_MS } from './silence-limit.ts'

/** What a client or a pool is made with. */
interface Connecting {
  connectionString: string
  Client: typeof pg.Client
}

interface Host {
  host: string
  port: number
}

/** As libpq writes it: `postgres://user@a:5432,b:5433/name?target_session_attrs=read-write`. */
const FORM = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)([^?#]*)(.*)$/
const ATTRIBUTE = 'target_session_attrs'
/** The service writes: a server that only reads is of no use to it, whatever is said. */
const MEANINGS_OF_WRITABLE = [null, 'any', 'read-write', 'primary']

/** Where one of several servers is the primary, each connection looks for it. */
export function connectingTo(url: string): Connecting {
  const urls = urlsOf(url)
  const [connectionString = url] = urls
  return { connectionString, Client: urls.length > 1 ? searching(urls) : pg.Client }
}

function urlsOf(url: string): string[] {
  const [, protocol = '', user = '', hosts = '', database = '', search = ''] = FORM.exec(url) ?? []
  const options = new URLSearchParams(search)
  const attribute = options.get(ATTRIBUTE)
  if (!MEANINGS_OF_WRITABLE.includes(attribute))
    throw new StartupError(`${ATTRIBUTE}=${attribute} in the address of the database: the service needs read-write`)
  options.delete(ATTRIBUTE)
  const rest = options.size > 0 ? `?${options}` : ''
  return hosts.split(',').map((host) => `${protocol}${user}${host}${database}${rest}`)
}

/** Asks all of them at once: one that is silent delays nobody. */
function searching(urls: string[]): typeof pg.Client {
  return class extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: pg takes a callback of two forms, or returns a promise
    override connect(callback?: any): any {
      const found = primaryAmong(urls).then((host) => void Object.assign(this, host))
      if (!callback) return found.then(() => super.connect())
      found.then(() => super.connect(callback), callback)
    }
  }
}

async function primaryAmong(urls: string[]): Promise<Host> {
  try {
    return await Promise.any(urls.map(writableAt))
  } catch (error) {
    const reasons = (error as AggregateError).errors.map(({ message }, i) => `${hostOf(urls[i] ?? '')}: ${message}`)
    throw new StoreError('unavailable', `no server takes writes (${reasons.join('; ')})`)
  }
}

const hostOf = (url: string): string => FORM.exec(url)?.[3] ?? ''

async function writableAt(url: string): Promise<Host> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: SILENCE_LIMIT_MS,
    query_timeout: SILENCE_LIMIT_MS,
    application_name: 'hypocaust watch',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
    if (rows[0]?.transaction_read_only !== 'off') throw new Error('is a standby')
    return { host: client.host, port: client.port }
  } finally {
    void client.end().catch(() => undefined)
  }
}
