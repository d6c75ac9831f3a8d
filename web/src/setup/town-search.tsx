import { useCallback, useEffect, useState } from 'react'
import { BASE } from '../api/base.ts'
import { useWords } from '../i18n/index.tsx'
import { Field } from '../ui/basics.tsx'
import { findTowns, nearestTown, parseTowns, type Town } from './towns.ts'

interface Props {
  /** As typed. */
  lat: string
  lng: string
  onChosen(place: { lat: string; lng: string; timezone: string }): void
}

/** Finds a place by the name of a town, in a list that the service itself has: nothing is asked of other servers. */
export function TownSearch({ lat, lng, onChosen }: Props) {
  const { t, language } = useWords()
  const { towns, load } = useTowns()
  // Undefined until something is typed: the field then shows the town of the place.
  const [typed, setTyped] = useState<string>()
  const [chosen, setChosen] = useState<Town>()
  const isKnown = lat !== '' && lng !== ''
  useEffect(() => {
    if (isKnown) void load()
  }, [isKnown, load])
  const found = chosen ? [] : findTowns(towns, typed ?? '')
  const nearest = isKnown ? nearestTown(towns, { lat: Number(lat), lng: Number(lng) }) : undefined
  const countryName = new Intl.DisplayNames([language], { type: 'region' })
  return (
    <div className="space-y-2">
      <Field
        label={t('towns.label')}
        hint={t(chosen ? 'towns.chosen' : 'towns.hint')}
        autoComplete="off"
        complaint={lat === '' && lng === '' ? t('towns.choose') : undefined}
        value={typed ?? nearest?.name ?? ''}
        onFocus={load}
        onChange={(event) => {
          setTyped(event.target.value)
          setChosen(undefined)
        }}
      />
      <ul aria-label={t('towns.found')} className="space-y-1">
        {found.map((town) => (
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

/** A large list: loaded once it is needed. */
function useTowns(): { towns: Town[]; load(): Promise<void> } {
  const [towns, setTowns] = useState<Town[]>([])
  const load = useCallback(async () => {
    if (towns.length > 0) return
    const answer = await fetch(`${BASE}/towns.txt`).catch(() => undefined)
    if (answer?.ok) setTowns(parseTowns(await answer.text()))
  }, [towns.length])
  return { towns, load }
}
