import { type Comfort, type HeatSource, heatSourceProblem, type Tariff, tariffProblem } from '@hypocaust/domain'

export const ENERGY_COLUMNS = ['comfort', 'tariff', 'heatSource'] as const

export interface EnergyRow {
  comfort: Comfort
  tariff: string | null
  heatSource: string | null
}

/** What a change or a house file says of energy. */
interface EnergyChange {
  comfort?: Comfort
  saving?: boolean
  tariff?: Tariff | null
  heat_source?: HeatSource | null
}

export const tariffOf = ({ tariff }: EnergyRow): Tariff | null => (tariff === null ? null : JSON.parse(tariff))
export const heatSourceOf = ({ heatSource }: EnergyRow): HeatSource | null =>
  heatSource === null ? null : JSON.parse(heatSource)

export const energyView = (row: EnergyRow) => ({
  comfort: row.comfort,
  saving: row.comfort === 'saving',
  tariff: tariffOf(row),
  heat_source: heatSourceOf(row),
})

export function energyColumns({ comfort, saving, tariff, heat_source }: EnergyChange): Partial<EnergyRow> {
  const chosen = comfort ?? (saving === undefined ? undefined : saving ? 'saving' : 'balanced')
  return {
    ...(chosen !== undefined && { comfort: chosen }),
    ...(tariff !== undefined && { tariff: tariff && JSON.stringify(tariff) }),
    ...(heat_source !== undefined && { heatSource: heat_source && JSON.stringify(heat_source) }),
  }
}

/** What the form alone does not show. */
export function energyProblem(change: EnergyChange): { field: keyof EnergyChange; message: string } | null {
  const { comfort, saving, tariff, heat_source } = change
  if (comfort !== undefined && saving !== undefined && saving !== (comfort === 'saving'))
    return { field: 'saving', message: `saving: ${saving} contradicts comfort: ${comfort}; leave saving out` }
  const ofTariff = tariff ? tariffProblem(tariff) : null
  if (ofTariff) return { field: 'tariff', message: ofTariff }
  const ofSource = heat_source ? heatSourceProblem(heat_source) : null
  return ofSource ? { field: 'heat_source', message: ofSource } : null
}
