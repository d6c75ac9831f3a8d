import { useQuery } from '@tanstack/react-query'
import { useBuilding } from '../api/buildings.ts'
import { overviewQuery, sessionQuery } from '../api/queries.ts'
import { BuildingPages } from '../building/pages-nav.tsx'
import { BuildingView } from '../building/view.tsx'
import { useWords } from '../i18n/index.tsx'
import { withWords } from '../i18n/languages.ts'
import { PageAwaited } from '../ui/awaited.tsx'
import { ButtonLink, Empty, PageTitle, Skeleton } from '../ui/basics.tsx'
import { part } from '../ui/part.tsx'

const ManyBuildings = part(withWords(() => import('../buildings/many.tsx')))

/** One building: its rooms. Several: a line each, the most pressing first. */
export function HomePage() {
  const { t } = useWords()
  const overview = useQuery(overviewQuery).data
  const movedTo = useQuery(sessionQuery).data?.moved_to ?? null
  if (!overview) return <HomeSkeleton />
  const [only, ...others] = overview
  if (!only && movedTo !== null) {
    return (
      <>
        <PageTitle>{t('nav.home')}</PageTitle>
        <Empty icon="house" title={t('moved.all')}>
          <MovedLink to={movedTo} />
        </Empty>
      </>
    )
  }
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
  return (
    <>
      {others.length === 0 ? (
        <OnlyBuilding id={only.id} />
      ) : (
        <ManyBuildings entries={overview} waiting={<HomeSkeleton />} />
      )}
      {movedTo !== null && (
        <p className="mt-6 text-soft">
          {t('moved.one')} <MovedLink to={movedTo} />
        </p>
      )}
    </>
  )
}

function MovedLink({ to }: { to: string }) {
  return (
    <a className="font-medium underline" href={to}>
      {to.replace(/^https?:\/\//, '')}
    </a>
  )
}

function OnlyBuilding({ id }: { id: string }) {
  const building = useBuilding(id)
  if (!building) return <HomeSkeleton />
  return (
    <>
      <BuildingView building={building} />
      <BuildingPages building={building} />
    </>
  )
}

function HomeSkeleton() {
  return (
    <PageAwaited>
      <div className="pt-2">
        <Skeleton className="my-3 h-8 w-56" />
        <Skeleton className="mb-3 h-18 max-w-lg sm:h-12" />
        <Skeleton className="mb-2 h-11 w-32" />
        <div className="grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-3 sm:grid-cols-[repeat(auto-fill,minmax(16rem,1fr))]">
          {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
            <Skeleton key={key} className="h-55" />
          ))}
        </div>
      </div>
    </PageAwaited>
  )
}
