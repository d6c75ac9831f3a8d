/** An error a person can do something about: its message is all that is shown. */
export class GatewayError extends Error {
  override name = 'GatewayError'
}
