import type { NewBuilding } from '@hypocaust/domain'
import { NAME_MAX_LENGTH } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem, Summary } from '../ui/basics.tsx'
import { TownSearch } from './town-search.tsx'

/** As typed: a number half entered is not yet one. */
export interface PlaceDraft {
  name: string
  lat: string
  lng: string
  timezone: string
}

export const placeOf = ({ name, lat, lng, timezone }: PlaceDraft): NewBuilding => ({
  name,
  location: { lat: Number(lat), lng: Number(lng) },
  timezone,
})

export function PlaceFields({ draft, onChange }: { draft: PlaceDraft; onChange(draft: PlaceDraft): void }) {
  const { t } = useWords()
  const change = (patch: Partial<PlaceDraft>) => onChange({ ...draft, ...patch })
  return (
    <>
      <Field
        label={t('new_building.name')}
        hint={t('new_building.name_hint')}
        required
        maxLength={NAME_MAX_LENGTH}
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <TownSearch lat={draft.lat} lng={draft.lng} onChosen={change} />
      {window.isSecureContext && <Locate onLocated={change} />}
      <ForExperts draft={draft} onChange={change} />
    </>
  )
}

/** Closed unless it is opened, or the browser finds a mistake in it. */
function ForExperts({ draft, onChange }: { draft: PlaceDraft; onChange(patch: Partial<PlaceDraft>): void }) {
  const { t } = useWords()
  const { lat, lng, timezone } = draft
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className="group"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
      onInvalidCapture={(event) => {
        event.currentTarget.open = true
      }}
    >
      <Summary>{t('new_building.experts')}</Summary>
      <div className="space-y-3">
        <div className="grid grid-cols-2 gap-3">
          <Coordinate
            label={t('new_building.lat')}
            most={90}
            value={lat}
            isNeeded={lng !== ''}
            onChange={(next) => onChange({ lat: next })}
          />
          <Coordinate
            label={t('new_building.lng')}
            most={180}
            value={lng}
            isNeeded={lat !== ''}
            onChange={(next) => onChange({ lng: next })}
          />
        </div>
        <p className="text-sm text-soft">{t('new_building.place_hint')}</p>
        <Field
          label={t('new_building.timezone')}
          list="zones"
          required
          value={timezone}
          onChange={(event) => onChange({ timezone: event.target.value })}
        />
        <datalist id="zones">{isOpen && timeZones().map((zone) => <option key={zone} value={zone} />)}</datalist>
      </div>
    </details>
  )
}

/** Hundreds, so they are made once they can be chosen. Browsers that cannot list them accept the name as typed. */
const timeZones = (): string[] => Intl.supportedValuesOf?.('timeZone') ?? []

interface CoordinateProps {
  label: string
  most: number
  value: string
  isNeeded: boolean
  onChange(value: string): void
}

/** With the whole keyboard: that of a phone for numbers has no minus. */
function Coordinate(props: CoordinateProps) {
  const { t } = useWords()
  const isFine = props.value === '' || Math.abs(Number(props.value)) <= props.most
  return (
    <Field
      label={props.label}
      autoComplete="off"
      required={props.isNeeded}
      value={props.value}
      complaint={isFine ? undefined : t('invalid.range', { min: -props.most, max: props.most })}
      onChange={({ target }) => props.onChange(target.value.trim().replace(',', '.').replace('−', '-'))}
    />
  )
}

function Locate({ onLocated }: { onLocated(place: { lat: string; lng: string }): void }) {
  const { t } = useWords()
  const [state, setState] = useState<'idle' | 'asking' | 'refused'>('idle')
  const locate = () => {
    setState('asking')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        onLocated({ lat: coords.latitude.toFixed(2), lng: coords.longitude.toFixed(2) })
        setState('idle')
      },
      () => setState('refused'),
    )
  }
  return (
    <>
      <Button onClick={locate} disabled={state === 'asking'}>
        {t('new_building.locate')}
      </Button>
      {state === 'refused' && <Problem>{t('new_building.not_located')}</Problem>}
    </>
  )
}
