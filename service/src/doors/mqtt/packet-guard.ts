/**
 * Watches the lengths MQTT packets announce, to end a connection that announces too much: the broker itself would
 * collect up to 256 MB of one packet.
 */
export class PacketGuard {
  readonly #maxBytes: number
  #skip = 0
  #header = 0
  #length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** False once a packet is too large; what comes after that is not looked at. */
  allows(chunk: Uint8Array): boolean {
    for (let i = 0; i < chunk.length; ) {
      if (this.#skip > 0) {
        const passed = Math.min(this.#skip, chunk.length - i)
        this.#skip -= passed
        i += passed
        continue
      }
      if (!this.#readHeaderByte(chunk[i++] ?? 0)) return false
    }
    return true
  }

  /** The first byte is the packet's type, up to four more hold its length, seven bits each. */
  #readHeaderByte(byte: number): boolean {
    if (this.#header > 0) {
      this.#length += (byte & 0x7f) << (7 * (this.#header - 1))
      if (this.#length > this.#maxBytes || this.#header > 4) return false
      if ((byte & 0x80) === 0) {
        this.#skip = this.#length
        this.#header = 0
        this.#length = 0
        return true
      }
    }
    this.#header++
    return true
  }
}
