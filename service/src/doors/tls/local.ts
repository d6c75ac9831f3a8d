import { X509Certificate } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { DAY_MS, matches } from '@hypocaust/domain'
import Type, { type Static } from 'typebox'
import { StartupError } from '../../base/startup-error.ts'
import { makeAuthority, makeServerCertificate, type Pair } from './certificates.ts'
import { hostNames, isPermitted, type Machine, namesOf, shortAddress } from './names.ts'

/** What a device needs to know of the authority that vouches for this service. */
export interface Authority {
  /** The certificate, PEM. */
  cert: string
  /** SHA-256 of the certificate, as a person compares it. */
  fingerprint: string
  endsMs: number
  file: string
}

/** A local authority and what it vouches for now. */
export interface LocalTls {
  authority: Authority
  server: Pair
  names: string[]
  endsMs: number
}

export interface Surroundings {
  machine: Machine
  nowMs: number
}

const RENEW_BEFORE_MS = 30 * DAY_MS

const Names = Type.Object({
  /** Beside what is nearby; written into the authority when it is made. */
  authority_for: Type.Array(Type.String()),
  /** Asked for, beside the machine's own. */
  also: Type.Array(Type.String()),
})
type Names = Static<typeof Names>

const filesIn = (dataDir: string) => {
  const folder = join(dataDir, 'tls')
  return {
    folder,
    authority: join(folder, 'authority.pem'),
    authorityKey: join(folder, 'authority-key.pem'),
    // Certificate and key in one file, so that they are never seen half renewed.
    server: join(folder, 'server.pem'),
    names: join(folder, 'names.json'),
  }
}

export const hasLocalTls = (dataDir: string): boolean => existsSync(filesIn(dataDir).authority)

/** SHA-256 of the local authority, where there is one. */
export function authorityFingerprint(dataDir: string): string | undefined {
  const { authority } = filesIn(dataDir)
  return existsSync(authority) ? parse(read(authority), authority).fingerprint256 : undefined
}

/** Makes the authority unless it is there, and the server's certificate anew. `also` replaces the names asked for before. */
export async function initLocalTls(
  dataDir: string,
  surroundings: Surroundings,
  also?: string[],
): Promise<LocalTls & { isNew: boolean }> {
  const isNew = !hasLocalTls(dataDir)
  if (isNew) await makeFolder(dataDir, surroundings, also ?? [])
  else if (also) changeNames(dataDir, also)
  return { ...(await renew(dataDir, surroundings)), isNew }
}

/** As it is kept, with a fresh certificate where the old one ends soon or lacks a name the machine has by now. */
export async function openLocalTls(dataDir: string, surroundings: Surroundings): Promise<LocalTls> {
  const kept = readLocalTls(dataDir)
  return kept && !isDue(kept, wantedNames(dataDir, surroundings.machine), surroundings.nowMs)
    ? kept
    : renew(dataDir, surroundings)
}

function isDue({ authority, server, endsMs }: LocalTls, wanted: string[], nowMs: number): boolean {
  const certificate = new X509Certificate(server.cert)
  return (
    endsMs - nowMs < Math.min(RENEW_BEFORE_MS, authority.endsMs - nowMs) ||
    certificate.validFromDate.getTime() > nowMs ||
    !certificate.verify(new X509Certificate(authority.cert).publicKey) ||
    !wanted.every((name) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)))
  )
}

async function makeFolder(dataDir: string, { machine, nowMs }: Surroundings, also: string[]): Promise<void> {
  const files = filesIn(dataDir)
  const names = { authority_for: [...new Set([...hostNames(machine.hostname), ...also])], also }
  const { cert, key } = await makeAuthority(machine.hostname, names.authority_for, nowMs)
  mkdirSync(files.folder, { recursive: true, mode: 0o700 })
  writeWhole(files.names, `${JSON.stringify(names, null, 2)}\n`, 0o600)
  writeWhole(files.authorityKey, key, 0o600)
  // Last: where this file is, the others are.
  writeWhole(files.authority, cert, 0o644)
}

function changeNames(dataDir: string, also: string[]): void {
  const { names: file, folder } = filesIn(dataDir)
  const { authority_for } = readNames(dataDir)
  const foreign = also.find((name) => !isPermitted(name, authority_for))
  if (foreign)
    throw new StartupError(
      `the authority in ${folder} was not made for ${foreign}. Delete that folder for a new one, which every phone has to take anew`,
    )
  writeWhole(file, `${JSON.stringify({ authority_for, also } satisfies Names, null, 2)}\n`, 0o600)
}

async function renew(dataDir: string, { machine, nowMs }: Surroundings): Promise<LocalTls> {
  const files = filesIn(dataDir)
  const authority = { cert: read(files.authority), key: read(files.authorityKey) }
  const server = await makeServerCertificate(authority, wantedNames(dataDir, machine), nowMs)
  writeWhole(files.server, server.key + server.cert, 0o600)
  return describe(files.authority, authority.cert, server)
}

/** As it is kept; undefined where there is none, or no certificate yet. */
export function readLocalTls(dataDir: string): LocalTls | undefined {
  const files = filesIn(dataDir)
  if (!existsSync(files.authority) || !existsSync(files.server)) return undefined
  const text = read(files.server)
  const at = text.indexOf('-----BEGIN CERTIFICATE-----')
  return describe(files.authority, read(files.authority), { key: text.slice(0, at), cert: text.slice(at) })
}

function describe(file: string, cert: string, server: Pair): LocalTls {
  const root = parse(cert, file)
  const leaf = parse(server.cert, file.replace(/[^/\\]+$/, 'server.pem'))
  const authority = { cert, file, fingerprint: root.fingerprint256, endsMs: root.validToDate.getTime() }
  const names = [...(leaf.subjectAltName ?? '').matchAll(/(?:DNS|IP Address):([^,\s]+)/g)].map(([, name = '']) =>
    shortAddress(name),
  )
  return { authority, server, names, endsMs: leaf.validToDate.getTime() }
}

const wantedNames = (dataDir: string, machine: Machine): string[] => {
  const { authority_for, also } = readNames(dataDir)
  return namesOf(machine, authority_for, also)
}

function readNames(dataDir: string): Names {
  const { names: file } = filesIn(dataDir)
  const text = read(file)
  try {
    const names: unknown = JSON.parse(text)
    if (matches(Names, names)) return names
  } catch {}
  throw broken(file, 'it does not hold names')
}

function parse(pem: string, file: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (error) {
    throw broken(file, (error as Error).message)
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw broken(file, (error as Error).message)
  }
}

const broken = (file: string, why: string) =>
  new StartupError(
    `cannot use ${file}: ${why}. Restore it from a backup, or delete its folder and run: hypocaust tls init`,
  )

/** Whole or not at all, also with another process beside this one. */
function writeWhole(file: string, text: string, mode: number): void {
  const draft = `${file}.${process.pid}.new`
  writeFileSync(draft, text, { mode })
  chmodSync(draft, mode)
  renameSync(draft, file)
}
