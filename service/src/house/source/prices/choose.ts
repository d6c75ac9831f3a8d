import { StartupError } from '../../../base/startup-error.ts'
import { VERSION } from '../../../base/version.ts'
import { awattar } from './awattar.ts'
import { entsoe } from './entsoe.ts'
import { fileOfPrices } from './file.ts'
import type { PriceProvider } from './market.ts'
import { nordPool } from './nord-pool.ts'
import { octopus } from './octopus.ts'

/** The settings of the service that say where prices come from. */
export interface PriceChoice {
  prices: 'none' | 'awattar' | 'entsoe' | 'nord-pool' | 'octopus' | 'file'
  prices_url?: string
  prices_token?: string
  prices_file?: string
}

export function choosePrices(settings: PriceChoice): PriceProvider | undefined {
  const { prices, prices_url, prices_token, prices_file } = settings
  const userAgent = `Hypocaust/${VERSION}`
  switch (prices) {
    case 'none':
      return undefined
    case 'awattar':
      return awattar(prices_url ?? 'https://api.awattar.de', userAgent)
    case 'entsoe':
      if (prices_token === undefined)
        throw new StartupError('ENTSO-E wants a security token: set prices_token (they give one out by mail)')
      return entsoe(prices_url ?? 'https://web-api.tp.entsoe.eu', userAgent, prices_token)
    case 'nord-pool':
      return nordPool(prices_url ?? 'https://dataportal-api.nordpoolgroup.com', userAgent)
    case 'octopus':
      return octopus(prices_url ?? 'https://api.octopus.energy', userAgent)
    case 'file':
      if (prices_file === undefined) throw new StartupError('prices from a file: set prices_file to its path')
      return fileOfPrices(prices_file)
  }
}
