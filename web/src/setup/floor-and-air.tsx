import type { AppRoom } from '@hypocaust/domain'
import { COMFORT_BAND_K, FLOOR_LIMIT_C, MOULD_WARMING_K, SURFACE_FACTOR } from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'
import { temperatureIn } from '../i18n/units.ts'
import { ForExperts } from '../ui/experts.tsx'
import { DegreesField, KelvinField } from '../ui/number-field.tsx'
import { AmountField } from './amount-field.tsx'

/** As rules of the trade have them. */
const USUAL_LIMIT_C = { living: 29, bathroom: 33 }

interface Props {
  draft: AppRoom
  mayPlan: boolean
  onChange(patch: Partial<AppRoom>): void
}

/** How warm the floor may become, and what fits most rooms as it is. */
export function FloorAndAir({ draft, mayPlan, onChange }: Props) {
  const { t, format } = useWords()
  const degrees = (celsius: number) => format.input(temperatureIn(format.unit).shown(celsius))
  return (
    <>
      <DegreesField
        label={t('room_settings.limit', { unit: format.unitName })}
        hint={t('room_settings.limit_hint', {
          living: degrees(USUAL_LIMIT_C.living),
          bathroom: degrees(USUAL_LIMIT_C.bathroom),
        })}
        value={draft.max_floor_temperature}
        min={FLOOR_LIMIT_C.minimum}
        max={FLOOR_LIMIT_C.maximum}
        step={0.5}
        onChange={(max_floor_temperature) => onChange({ max_floor_temperature })}
      />
      <ForExperts>
        {mayPlan && (
          <KelvinField
            label={t('room_settings.band', { unit: format.unitName })}
            hint={t('room_settings.band_hint')}
            value={draft.comfort_band}
            min={COMFORT_BAND_K.minimum}
            max={COMFORT_BAND_K.maximum}
            step={0.1}
            onChange={(comfort_band) => onChange({ comfort_band })}
          />
        )}
        <AmountField
          label={t('room_settings.surface_factor')}
          hint={t('room_settings.surface_factor_hint')}
          limits={SURFACE_FACTOR}
          value={draft.surface_factor}
          onChange={(surface_factor) => onChange({ surface_factor })}
        />
        {mayPlan && (
          <KelvinField
            label={t('room_settings.mould_warming', { unit: format.unitName })}
            hint={t('room_settings.mould_warming_hint')}
            value={draft.mould_warming}
            min={MOULD_WARMING_K.minimum}
            max={MOULD_WARMING_K.maximum}
            step={0.1}
            onChange={(mould_warming) => onChange({ mould_warming })}
          />
        )}
      </ForExperts>
    </>
  )
}
