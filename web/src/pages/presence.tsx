import type { AppBuilding } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import { useBuilding } from '../api/buildings.ts'
import { useWords } from '../i18n/index.tsx'
import { People } from '../presence/people.tsx'
import { RoomUsers } from '../presence/room-users.tsx'
import { PresenceRuleChoice } from '../presence/rule.tsx'
import { useParam } from '../routing/route.ts'
import { PageSkeleton } from '../ui/awaited.tsx'
import { Column, Columns, PageTitle } from '../ui/basics.tsx'
import { NotFoundPage } from './not-found.tsx'

/** Who is home, and what follows when nobody is. */
export default function PresencePage() {
  const building = useBuilding(useParam('buildingId'))
  if (building === undefined) return <PageSkeleton />
  if (!building?.presence) return <NotFoundPage />
  return <PresenceOf building={building} presence={building.presence} />
}

function PresenceOf({ building, presence }: { building: AppBuilding; presence: NonNullable<AppBuilding['presence']> }) {
  const { t } = useWords()
  const names = presence.people.map(({ name }) => name)
  const mayPlan = mayDo(building.role, 'plan')
  return (
    <div className="space-y-4">
      <PageTitle back={{ to: '/buildings/$buildingId', params: { buildingId: building.id } }}>
        {t('presence.title', { building: building.name })}
      </PageTitle>
      <p className="text-soft">{t('presence.lead')}</p>
      <Columns>
        <Column>
          <People building={building} people={presence.people} />
          {mayPlan && presence.rule && names.length > 0 && <RoomUsers rooms={building.rooms} names={names} />}
        </Column>
        {mayPlan && (
          <Column>
            <PresenceRuleChoice building={building} rule={presence.rule} />
          </Column>
        )}
      </Columns>
    </div>
  )
}
