import type { AppBuilding } from '@hypocaust/domain'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Problem, Section } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { type PlaceDraft, PlaceFields, placeOf } from './place-fields.tsx'

const draftOf = ({ name, location: { lat, lng }, timezone }: AppBuilding): PlaceDraft => ({
  name,
  lat: String(lat),
  lng: String(lng),
  timezone,
})

/** What the building is called and where it stands, for when it was typed wrong. */
export function Place({ building }: { building: AppBuilding }) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [draft, setDraft] = useState(() => draftOf(building))
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(building))
  const save = () =>
    run(async () => {
      await api<AppBuilding>('PATCH', `/buildings/${building.id}`, placeOf(draft))
      await queryClient.invalidateQueries({ queryKey: buildingsKey })
    })
  return (
    <Section title={t('place.title')}>
      <Form onSubmit={() => save()}>
        <PlaceFields draft={draft} onChange={setDraft} />
        {problem && <Problem>{problem}</Problem>}
        <Button type="submit" disabled={isBusy || !isChanged}>
          {t('save')}
        </Button>
      </Form>
    </Section>
  )
}
