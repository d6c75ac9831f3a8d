/** What a gateway needs to hear to pair with this service. */
export interface Invitation {
  service: string
  code: string
  /** SHA-256 of the local authority, by which the gateway knows the right one. */
  authority?: string
}

/** For a QR code. */
export function pairingLink({ service, code, authority }: Invitation): string {
  const known = authority ? `&authority=${authority.replaceAll(':', '')}` : ''
  return `hypocaust:pair?service=${encodeURIComponent(service)}&code=${code}${known}`
}

/** For the gateway's command line. */
export function pairingCommand({ service, code, authority }: Invitation): string {
  const known = authority ? ` --authority ${authority.replaceAll(':', '')}` : ''
  return `hypocaust gateway pair --service ${service} --code ${code}${known}`
}
