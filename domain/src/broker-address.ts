interface BrokerAddress {
  protocol: 'mqtt' | 'mqtts' | 'ws' | 'wss'
  host: string
  port?: number
  username?: string
  password?: string
  /** Of a WebSocket only. */
  path?: string
}

/**
 * `mqtt://user:password@host:1883` as the options of a client. Given the text itself, mqtt.js reads it with a function
 * that Node warns of in the log.
 */
export function brokerAddress(url: string): BrokerAddress {
  const { protocol, hostname, port, username, password, pathname, search } = new URL(url)
  const name = protocol.slice(0, -1) as BrokerAddress['protocol']
  const isWebSocket = name === 'ws' || name === 'wss'
  return {
    protocol: name,
    // A WebSocket's address is put together again, with the brackets of IPv6; a socket wants none.
    host: isWebSocket ? hostname : hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port !== '' && { port: Number(port) }),
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(isWebSocket && { path: pathname + search }),
  }
}
