/** Channels that are shared out among parts of one kind, such as pumps: each channel belongs to one of them. */
export class OwnChannels {
  readonly #known: ReadonlySet<number>
  readonly #taken = new Set<number>()

  constructor(channels: readonly { channel: number }[]) {
    this.#known = new Set(channels.map(({ channel }) => channel))
  }

  /** What is wrong with the channels of the next part; null where nothing is. */
  faultOf(channels: readonly number[], part: string): string | null {
    const strange = channels.find((channel) => !this.#known.has(channel))
    if (strange !== undefined) return `there is no channel ${strange}`
    const twice = channels.find((channel) => this.#taken.has(channel))
    if (twice !== undefined) return `channel ${twice} has another ${part} already`
    for (const channel of channels) this.#taken.add(channel)
    return null
  }
}
