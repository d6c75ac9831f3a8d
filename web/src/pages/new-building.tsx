import type { AppBuilding, UploadedHouse } from '@hypocaust/domain'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { buildingsQuery, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, PageTitle, Problem, Section } from '../ui/basics.tsx'
import { useDeed } from '../ui/form.ts'

export default function NewBuildingPage() {
  const { t } = useWords()
  const navigate = useNavigate()
  const goTo = async (buildingId: string) => {
    await queryClient.invalidateQueries({ queryKey: buildingsQuery.queryKey })
    await navigate({ to: '/buildings/$buildingId/setup', params: { buildingId } })
  }
  return (
    <div className="max-w-3xl space-y-4">
      <PageTitle back={{ to: '/' }}>{t('welcome.add')}</PageTitle>
      <ByHand onAdded={goTo} />
      <ByFile onAdded={goTo} />
    </div>
  )
}

interface Props {
  onAdded(buildingId: string): Promise<void>
}

function ByHand({ onAdded }: Props) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [place, setPlace] = useState({ lat: '', lng: '' })
  const [locating, setLocating] = useState<'idle' | 'asking' | 'refused'>('idle')
  const locate = () => {
    setLocating('asking')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setPlace({ lat: coords.latitude.toFixed(3), lng: coords.longitude.toFixed(3) })
        setLocating('idle')
      },
      () => setLocating('refused'),
    )
  }
  const submit = (form: FormData) =>
    run(async () => {
      const building = await api<AppBuilding>('POST', '/buildings', {
        name: String(form.get('name')),
        location: { lat: Number(place.lat), lng: Number(place.lng) },
        timezone: String(form.get('timezone')),
      })
      await onAdded(building.id)
    })
  const zones = Intl.supportedValuesOf('timeZone')
  return (
    <Section title={t('new_building.by_hand')}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        <Field label={t('new_building.name')} hint={t('new_building.name_hint')} name="name" required maxLength={100} />
        <div className="grid grid-cols-2 gap-3">
          <Field
            label={t('new_building.lat')}
            type="number"
            inputMode="decimal"
            step="any"
            min={-90}
            max={90}
            required
            value={place.lat}
            onChange={(event) => setPlace({ ...place, lat: event.target.value })}
          />
          <Field
            label={t('new_building.lng')}
            type="number"
            inputMode="decimal"
            step="any"
            min={-180}
            max={180}
            required
            value={place.lng}
            onChange={(event) => setPlace({ ...place, lng: event.target.value })}
          />
        </div>
        <p className="text-sm text-soft">{t('new_building.place_hint')}</p>
        {window.isSecureContext && (
          <Button onClick={locate} disabled={locating === 'asking'}>
            {t('new_building.locate')}
          </Button>
        )}
        {locating === 'refused' && <Problem>{t('new_building.not_located')}</Problem>}
        <Field
          label={t('new_building.timezone')}
          name="timezone"
          list="zones"
          required
          defaultValue={Intl.DateTimeFormat().resolvedOptions().timeZone}
        />
        <datalist id="zones">
          {zones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        {problem && <Problem>{problem}</Problem>}
        <Button type="submit" look="main" disabled={isBusy}>
          {t('welcome.add')}
        </Button>
      </form>
    </Section>
  )
}

function ByFile({ onAdded }: Props) {
  const { t } = useWords()
  const { problem, run } = useDeed()
  const upload = (file: File | undefined) =>
    file &&
    run(async () => {
      const { building } = await api<UploadedHouse>('POST', '/house-file', { text: await file.text() })
      await onAdded(building.id)
    })
  return (
    <Section title={t('new_building.by_file')}>
      <Field
        label={t('new_building.file')}
        hint={t('new_building.file_hint')}
        type="file"
        accept=".yaml,.yml"
        onChange={(event) => upload(event.target.files?.[0])}
      />
      {problem && <Problem>{problem}</Problem>}
    </Section>
  )
}
