import type { AppBuilding, UploadedHouse } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient, weatherSourceQuery } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { navigate } from '../routing/navigation.ts'
import { PlaceFields, placeOf } from '../setup/place-fields.tsx'
import { Button, Columns, PageTitle, Problem, Section } from '../ui/basics.tsx'
import { FileButton } from '../ui/file-button.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'

export default function NewBuildingPage() {
  const { t } = useWords()
  const goTo = async (buildingId: string) => {
    await queryClient.invalidateQueries({ queryKey: buildingsKey })
    navigate({ to: '/buildings/$buildingId/setup', params: { buildingId } })
  }
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/' }}>{t('welcome.add')}</PageTitle>
      <Columns>
        <ByHand onAdded={goTo} />
        <ByFile onAdded={goTo} />
      </Columns>
    </div>
  )
}

interface Props {
  onAdded(buildingId: string): Promise<void>
}

function ByHand({ onAdded }: Props) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const source = useQuery(weatherSourceQuery).data?.source
  const [draft, setDraft] = useState({
    name: '',
    lat: '',
    lng: '',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
  const submit = () => run(async () => onAdded((await api<AppBuilding>('POST', '/buildings', placeOf(draft))).id))
  return (
    <Section title={t('new_building.by_hand')}>
      <Form onSubmit={() => submit()}>
        <PlaceFields draft={draft} onChange={setDraft} />
        {source && <p className="text-sm text-soft">{t(`weather.from_${source}`)}</p>}
        {problem && <Problem>{problem}</Problem>}
        <Button type="submit" look="main" disabled={isBusy}>
          {t('welcome.add')}
        </Button>
      </Form>
    </Section>
  )
}

function ByFile({ onAdded }: Props) {
  const { t } = useWords()
  const { problem, run } = useDeed()
  const upload = (file: File) =>
    run(async () => {
      const { building } = await api<UploadedHouse>('POST', '/house-file', { text: await file.text() })
      await onAdded(building.id)
    })
  return (
    <Section title={t('new_building.by_file')}>
      <FileButton
        label={t('new_building.file')}
        hint={t('new_building.file_hint')}
        accept=".yaml,.yml"
        onChoose={upload}
      />
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}
