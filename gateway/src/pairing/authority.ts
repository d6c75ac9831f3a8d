import { X509Certificate } from 'node:crypto'
import { GatewayError } from '../base/error.ts'
import { exchange } from './exchange.ts'

/** Fetches the authority that vouches for a service, and takes it only if it is the one whose SHA-256 a person passed on. */
export async function fetchAuthority(service: URL, fingerprint: string): Promise<string> {
  // Over plain HTTP, on the service's own port: what it says is proven by the fingerprint, not by who says it.
  const url = new URL(`http://${service.host}/authority.crt`)
  if (url.port === '') url.port = '443'
  const { status, body } = await exchange(url)
  if (status !== 200)
    throw new GatewayError(`${url.host} offers no authority (status ${status}); leave out --authority`)
  const found = certificateOf(body)?.fingerprint256
  if (found === undefined || plain(found) !== plain(fingerprint)) {
    throw new GatewayError(
      `the authority at ${url.host} is not the one asked for: its SHA-256 is ${found ?? 'none'}, not ${fingerprint}`,
    )
  }
  return body
}

const plain = (fingerprint: string): string => fingerprint.replace(/[^0-9a-f]/gi, '').toUpperCase()

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}
