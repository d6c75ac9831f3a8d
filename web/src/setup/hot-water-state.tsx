import type { AppBuilding } from '@hypocaust/domain'
import { useWords } from '../i18n/index.tsx'
import { Problem } from '../ui/basics.tsx'

/** How hot the tank of a building is, what it does next, and what people should know of it. */
export function HotWaterState({ building }: { building: AppBuilding }) {
  const { t, format } = useWords()
  const { state, notices } = building.hot_water
  const { timezone } = building
  const moment = (at: string) => format.moment(Date.parse(at), timezone)
  return (
    <>
      {state && (
        <p>
          {t(state.measured_at === null ? 'hot_water.expected' : 'hot_water.measured', {
            degrees: format.degrees(state.temperature),
          })}{' '}
          {state.heating
            ? t(state.asked ? 'hot_water.heating_asked' : 'hot_water.heating')
            : state.next && t(`hot_water.next_${state.next.kind}`, { time: moment(state.next.from) })}
        </p>
      )}
      {state?.problems.map((problem) => (
        <Problem key={problem}>{t(`hot_water.problem_${problem}`)}</Problem>
      ))}
      {notices.map((notice) => (
        <p key={notice} className="text-sm text-soft">
          {t(`hot_water.notice_${notice}`)}
        </p>
      ))}
    </>
  )
}
