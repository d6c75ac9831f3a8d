import type { AppBuilding } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import { useParams } from '@tanstack/react-router'
import { useBuilding } from '../api/buildings.ts'
import { BuildingView } from '../building/view.tsx'
import { useWords } from '../i18n/index.tsx'
import { PageSkeleton } from '../ui/basics.tsx'
import { EntryLink } from '../ui/entry-link.tsx'
import { NotFoundPage } from './not-found.tsx'

export default function BuildingPage() {
  const { buildingId } = useParams({ from: '/buildings/$buildingId' })
  const building = useBuilding(buildingId)
  if (building === undefined) return <PageSkeleton />
  if (building === null) return <NotFoundPage />
  return (
    <>
      <BuildingView building={building} back={{ to: '/' }} />
      <BuildingPages building={building} />
    </>
  )
}

function BuildingPages({ building: { id, role } }: { building: AppBuilding }) {
  const { t } = useWords()
  return (
    <nav aria-label={t('building.pages')} className="card mt-4 max-w-3xl divide-y divide-line">
      <EntryLink to={`/buildings/${id}/energy`} icon="sun" title={t('building.energy')} text={t('heat.text')} />
      {mayDo(role, 'set_up') && (
        <EntryLink
          to={`/buildings/${id}/setup`}
          icon="gear"
          title={t('building.setup')}
          text={t('settings.building')}
        />
      )}
      {mayDo(role, 'set_up') && (
        <EntryLink to={`/buildings/${id}/record`} icon="check" title={t('building.record')} text={t('record.text')} />
      )}
      <EntryLink
        to={`/buildings/${id}/members`}
        icon="people"
        title={t('building.members')}
        text={t('settings.members')}
      />
      {mayDo(role, 'change_log') && (
        <EntryLink
          to={`/buildings/${id}/changes`}
          icon="clock"
          title={t('building.changes')}
          text={t('settings.changes')}
        />
      )}
    </nav>
  )
}
