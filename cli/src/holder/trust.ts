import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { UsageFailure } from '../failure.ts'

/** An authority from a file, for instance that of `hypocaust tls init`. */
export function readAuthority(file: string): string {
  try {
    const pem = readFileSync(file, 'utf8')
    new X509Certificate(pem)
    return pem
  } catch (error) {
    throw new UsageFailure(`--ca: ${file} is not a certificate: ${(error as Error).message}`)
  }
}

/** For every connection of this process, beside those the system trusts. */
export const trust = (authority: string): void => setDefaultCACertificates([...getCACertificates(), authority])
