/** What people pay with, by the time zone of the place. */
const CURRENCIES: [zone: RegExp, currency: string][] = [
  [
    /^Europe\/(Amsterdam|Andorra|Athens|Berlin|Bratislava|Brussels|Dublin|Helsinki|Lisbon|Ljubljana|Luxembourg|Madrid|Malta|Mariehamn|Monaco|Nicosia|Paris|Podgorica|Riga|Rome|San_Marino|Sofia|Tallinn|Vatican|Vienna|Vilnius|Zagreb)$/,
    'EUR',
  ],
  [/^(Asia\/Nicosia|Atlantic\/(Azores|Canary|Madeira)|Africa\/Ceuta)$/, 'EUR'],
  [/^Europe\/(London|Belfast)$/, 'GBP'],
  [/^Europe\/(Zurich|Vaduz)$/, 'CHF'],
  [/^Europe\/Oslo$/, 'NOK'],
  [/^Europe\/Stockholm$/, 'SEK'],
  [/^Europe\/Copenhagen$/, 'DKK'],
  [/^Europe\/Warsaw$/, 'PLN'],
  [/^Europe\/Prague$/, 'CZK'],
  [/^Europe\/Budapest$/, 'HUF'],
  [/^Europe\/Bucharest$/, 'RON'],
  [/^Atlantic\/Reykjavik$/, 'ISK'],
  [/^America\/(New_York|Chicago|Denver|Los_Angeles|Phoenix|Anchorage|Detroit)$/, 'USD'],
  [/^America\/(Toronto|Vancouver|Montreal|Winnipeg|Edmonton|Halifax)$/, 'CAD'],
]

/** Null where it is not known. */
const currencyIn = (timeZone: string): string | null => CURRENCIES.find(([zone]) => zone.test(timeZone))?.[1] ?? null

/** The sources of market prices are in one of these, whatever is paid with at the place. */
const MARKET_CURRENCIES = ['EUR', 'GBP']

/** Of costs by a tariff. Prices that nobody entered at the place are in the currency of their source. */
export function currencyOf(
  tariffKind: 'fixed' | 'times' | 'market' | 'gateway' | null,
  timeZone: string,
): string | null {
  const currency = currencyIn(timeZone)
  const isEntered = tariffKind !== 'market' && tariffKind !== 'gateway'
  return isEntered || (currency !== null && MARKET_CURRENCIES.includes(currency)) ? currency : null
}
