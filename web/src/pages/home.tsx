import type { AppBuilding } from '@hypocaust/domain'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useNow } from '../api/now.ts'
import { alertsQuery, buildingsQuery } from '../api/queries.ts'
import { BuildingView } from '../building/view.tsx'
import { useWords } from '../i18n/index.tsx'
import { houseInWords } from '../room/words.ts'
import { Button, ButtonLink, Empty, PageTitle, Problem, Skeleton } from '../ui/basics.tsx'
import { useCalm } from '../ui/calm.ts'
import { useProblemText } from '../ui/form.ts'
import { Icon } from '../ui/icon.tsx'

/** One building: its rooms. Several: a line each, those that need a look first. */
export function HomePage() {
  const { t } = useWords()
  const buildings = useQuery(buildingsQuery)
  const problem = useProblemText()
  if (buildings.error && !buildings.data) {
    return (
      <>
        <PageTitle>{t('nav.home')}</PageTitle>
        <Problem>{problem(buildings.error)}</Problem>
        <Button className="mt-4" onClick={() => buildings.refetch()}>
          {t('try_again')}
        </Button>
      </>
    )
  }
  if (!buildings.data) return <HomeSkeleton />
  const [only, ...others] = buildings.data
  if (!only) {
    return (
      <>
        <PageTitle>{t('welcome.title')}</PageTitle>
        <Empty icon="house" title={t('welcome.text')}>
          <ButtonLink to="/buildings/new" look="main" icon="plus">
            {t('welcome.add')}
          </ButtonLink>
        </Empty>
      </>
    )
  }
  if (others.length === 0) return <BuildingView building={only} />
  return <Buildings buildings={buildings.data} />
}

/** Those that need a look first; the order does not change under a finger. */
function Buildings({ buildings }: { buildings: AppBuilding[] }) {
  const words = useWords()
  const { t, count } = words
  const alerts = useQuery(alertsQuery).data ?? []
  const now = useNow()
  const told = buildings.map((building) => ({ building, ...houseInWords(building, alerts, now, words) }))
  const wished = [...told].sort((a, b) => Number(a.isWell) - Number(b.isWell)).map(({ building }) => building.id)
  const order = useCalm(wished, wished.join())
  const lines = order.flatMap((id) => told.filter(({ building }) => building.id === id))
  const unwell = lines.filter(({ isWell }) => !isWell).length
  return (
    <>
      <PageTitle>{t('nav.home')}</PageTitle>
      <p role="status" className="mb-4 text-lg">
        {unwell === 0 ? t('home.all_well', { n: lines.length }) : count('home.unwell', unwell, { all: lines.length })}
      </p>
      <ul className="grid gap-3 md:grid-cols-2">
        {lines.map(({ building, text, isWell }) => (
          <li key={building.id}>
            <Link
              to="/buildings/$buildingId"
              params={{ buildingId: building.id }}
              className="card flex min-h-20 items-center gap-3 p-4 hover:bg-sunken"
            >
              <Icon name={isWell ? 'check' : 'warning'} className={isWell ? 'text-faint' : 'text-alert'} />
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{building.name}</span>
                <span className="block text-sm text-soft">{text}</span>
              </span>
              <Icon name="next" className="text-faint" />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

function HomeSkeleton() {
  return (
    <div className="space-y-4 pt-4">
      <Skeleton className="h-8 w-56" />
      <Skeleton className="h-6 w-80 max-w-full" />
      <div className="grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-3 sm:grid-cols-[repeat(auto-fill,minmax(16rem,1fr))]">
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <Skeleton key={key} className="h-44" />
        ))}
      </div>
    </div>
  )
}
