import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure, UsageFailure } from '../failure.ts'

/** Where the service is, and the key that opens it. */
interface Login {
  url: string
  key: string
  /** The authority to trust beside the system's, PEM. */
  ca?: string
}

export function loginFile(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'hypocaust', 'login.json')
}

export function readLogin(env: NodeJS.ProcessEnv): Login {
  const file = loginFile(env)
  let login: Partial<Login>
  try {
    login = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Failure('log in first: hypocaust login URL')
    throw new Failure(`cannot read ${file}: ${(error as Error).message}. Log in again: hypocaust login URL`)
  }
  if (typeof login?.url === 'string' && typeof login.key === 'string') {
    const { url, key, ca } = login
    return { url, key, ...(typeof ca === 'string' && { ca }) }
  }
  throw new Failure(`${file} holds no login. Log in again: hypocaust login URL`)
}

/** Whole or not at all, and for nobody else's eyes. */
export function writeLogin(env: NodeJS.ProcessEnv, login: Login): string {
  const file = loginFile(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.new`
  writeFileSync(beside, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 })
  chmodSync(beside, 0o600)
  renameSync(beside, file)
  return file
}

export function forgetLogin(env: NodeJS.ProcessEnv): void {
  rmSync(loginFile(env), { force: true })
}

/** `192.168.1.5:8080`, `heat.example.org/v1/` and the like as the address the client wants. */
export function addressOf(text: string): string {
  const complete = /^https?:\/\//i.test(text) ? text : `${isNearby(text) ? 'http' : 'https'}://${text}`
  if (!URL.canParse(complete) || /^(?!https?:)[a-z]+:\/\//i.test(text))
    throw new UsageFailure(`${text} is not an address; for example http://192.168.1.5:8080`)
  const { origin, pathname } = new URL(complete)
  return origin + pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
}

/** Addresses at home have no certificate as a rule; one on the internet must have. */
const isNearby = (text: string): boolean =>
  /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[|[^.:/]+(:|\/|$)|[^/:]+\.local\b)/i.test(text)
