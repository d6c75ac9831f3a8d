import type { Town } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { townsQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Field } from '../ui/basics.tsx'

interface Props {
  /** As typed. */
  lat: string
  lng: string
  onChosen(place: { lat: string; lng: string; timezone: string }): void
}

const FEWEST_LETTERS = 2

/** Finds a place by the name of a town, in a list that the service itself has: nothing is asked of other servers. */
export function TownSearch({ lat, lng, onChosen }: Props) {
  const { t, language } = useWords()
  // Undefined until something is typed: the field then shows the town of the place.
  const [typed, setTyped] = useState<string>()
  const [chosen, setChosen] = useState<Town>()
  const isKnown = lat !== '' && lng !== ''
  const wanted = chosen ? '' : (typed ?? '').trim()
  const { data: found = [] } = useQuery({
    ...townsQuery({ name: wanted }),
    enabled: wanted.length >= FEWEST_LETTERS,
    placeholderData: (before) => (wanted.length >= FEWEST_LETTERS ? before : []),
  })
  const { data: [nearest] = [] } = useQuery({ ...townsQuery({ lat, lng }), enabled: isKnown && typed === undefined })
  const countryName = new Intl.DisplayNames([language], { type: 'region' })
  return (
    <div className="space-y-2">
      <Field
        label={t('towns.label')}
        hint={t(chosen ? 'towns.chosen' : 'towns.hint')}
        autoComplete="off"
        complaint={lat === '' && lng === '' ? t('towns.choose') : undefined}
        value={typed ?? nearest?.name ?? ''}
        onChange={(event) => {
          setTyped(event.target.value)
          setChosen(undefined)
        }}
      />
      <ul aria-label={t('towns.found')} className="space-y-1">
        {(wanted.length < FEWEST_LETTERS ? [] : found).map((town) => (
          <li key={`${town.name} ${town.lat} ${town.lng}`}>
            <button
              type="button"
              className="flex min-h-11 w-full items-center justify-between gap-3 rounded-xl border border-line px-3 text-left hover:bg-sunken"
              onClick={() => {
                setChosen(town)
                setTyped(town.name)
                onChosen({ lat: String(town.lat), lng: String(town.lng), timezone: town.timezone })
              }}
            >
              <span className="font-medium">{town.name}</span>
              <span className="text-sm text-soft">{countryName.of(town.country)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
