/** A passkey belongs to a host name: over plain HTTP, or by an address such as 192.168.1.5, there can be none. */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !isAddress(location.hostname)

const isAddress = (host: string): boolean => /^[\d.]+$|^\[/.test(host)
