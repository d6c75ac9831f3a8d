import { GatewayError } from '../base/error.ts'

/** `1=0.2,2=0.05` as shares by channel. */
export function parsePowers(text: string, channels: readonly number[]): Map<number, number> {
  const powers = new Map<number, number>()
  for (const part of text.split(',')) {
    const [, channelText, shareText] = /^\s*(\d+)\s*=\s*(\d*\.?\d+)\s*$/.exec(part) ?? []
    const share = Number(shareText)
    if (channelText === undefined || !(share >= 0 && share <= 1))
      throw new GatewayError(`--power must be like 1=0.2,2=0.05 with shares from 0 to 1; "${part.trim()}" is not`)
    const channel = Number(channelText)
    if (!channels.includes(channel))
      throw new GatewayError(`--power: there is no channel ${channel} in the file; there are: ${listOf(channels)}`)
    if (powers.has(channel)) throw new GatewayError(`--power names channel ${channel} twice`)
    powers.set(channel, share)
  }
  return powers
}

const listOf = (channels: readonly number[]): string => channels.join(', ') || 'none'
