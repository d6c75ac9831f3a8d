import type { AppBuilding } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBuilding } from '../api/buildings.ts'
import { api } from '../api/http.ts'
import { buildingsKey, contactsQuery, matterQuery, queryClient } from '../api/queries.ts'
import { ProblemReport } from '../building/problem-report.tsx'
import { useWords } from '../i18n/index.tsx'
import { navigate } from '../routing/navigation.ts'
import { useParam } from '../routing/route.ts'
import { Care } from '../setup/care.tsx'
import { ContactsSetUp } from '../setup/contacts.tsx'
import { CoolingSetUp } from '../setup/cooling.tsx'
import { EnergySetUp } from '../setup/energy.tsx'
import { HotWaterSetUp } from '../setup/hot-water.tsx'
import { Matter } from '../setup/matter.tsx'
import { Place } from '../setup/place.tsx'
import { TagsSetUp } from '../setup/tags.tsx'
import { WeatherFrom } from '../setup/weather.tsx'
import { PageSkeleton } from '../ui/awaited.tsx'
import { Button, Column, Columns, PageTitle } from '../ui/basics.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { NotFoundPage } from './not-found.tsx'

const LOOK_FOR_DEVICES_MS = 3000

/** What can be chosen for a building that is set up. */
export default function BuildingSettingsPage() {
  const { t } = useWords()
  const buildingId = useParam('buildingId')
  const building = useBuilding(buildingId)
  const contacts = useQuery({ ...contactsQuery(buildingId), refetchInterval: LOOK_FOR_DEVICES_MS }).data
  const matter = useQuery({ ...matterQuery(buildingId), refetchInterval: LOOK_FOR_DEVICES_MS }).data
  const [isRemoving, setRemoving] = useState(false)
  if (building === null) return <NotFoundPage />
  if (!building || !contacts || !matter) return <PageSkeleton />
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/buildings/$buildingId', params: { buildingId } }}>
        {t('building_settings.title', { building: building.name })}
      </PageTitle>
      <Columns>
        <Column>
          <Care building={building} />
          <EnergySetUp building={building} />
          {(building.can_cool || building.cooling) && mayDo(building.role, 'plan') && (
            <CoolingSetUp building={building} />
          )}
          {mayDo(building.role, 'plan') && <HotWaterSetUp building={building} />}
          <WeatherFrom building={building} />
        </Column>
        <Column>
          <Place key={building.id} building={building} />
          <ContactsSetUp building={building} contacts={contacts} />
          <Matter standing={matter} />
          <TagsSetUp building={building} />
          {mayDo(building.role, 'report') && <ProblemReport building={building} />}
        </Column>
      </Columns>
      {mayDo(building.role, 'remove') && (
        <Button look="danger" onClick={() => setRemoving(true)}>
          {t('setup.remove')}
        </Button>
      )}
      {isRemoving && <RemoveDialog building={building} onClose={() => setRemoving(false)} />}
    </div>
  )
}

function RemoveDialog({ building, onClose }: { building: AppBuilding; onClose(): void }) {
  const { t } = useWords()
  return (
    <ConfirmDialog
      title={t('setup.remove_title', { building: building.name })}
      text={t('setup.remove_text')}
      action={t('setup.remove')}
      onConfirm={async () => {
        await api('DELETE', `/buildings/${building.id}`)
        navigate({ to: '/' })
      }}
      onDone={() => queryClient.invalidateQueries({ queryKey: buildingsKey })}
      onClose={onClose}
    />
  )
}
