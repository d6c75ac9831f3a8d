import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { DAY_MS } from '@hypocaust/domain'
import { nameConstraints } from './name-constraints.ts'
import { LOCAL_DOMAINS, LOCAL_RANGES } from './names.ts'

/** A certificate and its private key, both PEM. */
export interface Pair {
  cert: string
  key: string
}

const AUTHORITY_DAYS = 3650
/** Phones accept no more than 825 days, and 398 of a public authority; renewing costs nothing. */
const SERVER_DAYS = 397
/** A phone's clock may be behind. */
const BACKDATED_MS = DAY_MS
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const MAX_COMMON_NAME = 64
const NAME_CONSTRAINTS = '2.5.29.30'

/** Vouches for what is nearby and for these names: a stolen key opens nobody's bank. */
export async function makeAuthority(machine: string, authorityFor: string[], nowMs: number): Promise<Pair> {
  const x509 = await library()
  const keys = await newKeys()
  const domains = [...LOCAL_DOMAINS, ...authorityFor.filter((name) => isIP(name) === 0)]
  const addresses = authorityFor.filter((name) => isIP(name) !== 0)
  const ranges = [...LOCAL_RANGES, ...addresses.map((address) => ({ address, bits: isIP(address) === 6 ? 128 : 32 }))]
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: [{ CN: [`Hypocaust on ${machine}`.slice(0, MAX_COMMON_NAME)] }, { O: ['Hypocaust'] }],
    ...validity(nowMs, AUTHORITY_DAYS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      // Not critical: a client that does not know the extension would otherwise refuse the authority.
      new x509.Extension(NAME_CONSTRAINTS, false, nameConstraints(domains, ranges)),
    ],
  })
  return { cert: `${certificate.toString('pem')}\n`, key: await pemOf(keys.privateKey) }
}

export async function makeServerCertificate(authority: Pair, names: string[], nowMs: number): Promise<Pair> {
  const x509 = await library()
  const keys = await newKeys()
  const issuer = new x509.X509Certificate(authority.cert)
  const { notBefore, notAfter } = validity(nowMs, SERVER_DAYS)
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: [{ CN: ['Hypocaust'] }],
    issuer: issuer.subjectName,
    notBefore,
    notAfter: notAfter < issuer.notAfter ? notAfter : issuer.notAfter,
    publicKey: keys.publicKey,
    signingKey: await readKey(authority.key),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  })
  return { cert: `${certificate.toString('pem')}\n`, key: await pemOf(keys.privateKey) }
}

/** Loaded when a certificate is made, which is seldom. */
const library = () => import('@peculiar/x509')

const newKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

/** Positive, as a certificate wants it. */
const newSerial = () => {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes.toString('hex')
}

const validity = (nowMs: number, days: number) => ({
  notBefore: new Date(nowMs - BACKDATED_MS),
  notAfter: new Date(nowMs - BACKDATED_MS + days * DAY_MS),
})

async function pemOf(key: CryptoKey): Promise<string> {
  const lines = Buffer.from(await crypto.subtle.exportKey('pkcs8', key))
    .toString('base64')
    .match(/.{1,64}/g)
  return ['-----BEGIN PRIVATE KEY-----', ...(lines ?? []), '-----END PRIVATE KEY-----', ''].join('\n')
}

function readKey(pem: string): Promise<CryptoKey> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  return crypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign'])
}
