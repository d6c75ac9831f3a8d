import type { AppBuilding, AppScreed } from '@hypocaust/domain'
import { SCREED_PROGRAMMES, SCREED_TOLERANCE_K } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { useNow } from '../api/now.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Section } from '../ui/basics.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { noteScreed } from './start.tsx'

interface Props {
  building: AppBuilding
  screed: AppScreed
  run: NonNullable<AppScreed['run']>
}

/** How far the programme is, what keeps it from going on, and its end. */
export function ScreedRunning({ building: { id, timezone }, screed: { measured }, run }: Props) {
  const { t, format } = useWords()
  const now = useNow()
  const [isAsking, setAsking] = useState(false)
  const degrees = (c: number) => `${format.degrees(c)}°`
  const stored = SCREED_PROGRAMMES.find((each) => each === run.name)
  const since = run.trouble_since === null ? '' : format.since(Date.parse(run.trouble_since), now, timezone)
  return (
    <Section title={stored ? t(`screed.${stored}`) : run.name}>
      <progress className="bar" value={run.held_hours} max={run.all_hours} aria-label={t('screed.title')} />
      <p>{t('screed.progress', { held: format.input(run.held_hours), all: format.input(run.all_hours) })}</p>
      {run.ended_at === null && (
        <p className="text-soft">
          {t('screed.step', { step: run.step + 1, steps: run.steps.length, degrees: degrees(run.supply_c) })}
          {measured !== null && ` · ${t('screed.measured', { degrees: degrees(measured) })}`}
        </p>
      )}
      <p role="status">{t(statusOf(run, measured), { time: since })}</p>
      {run.ended_at === null && (
        <Button look="danger" onClick={() => setAsking(true)}>
          {t('screed.stop')}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('screed.stop_ask')}
          text={t('screed.stop_text')}
          action={t('screed.stop')}
          onConfirm={async () => noteScreed(id, await api<AppScreed>('DELETE', `/buildings/${id}/screed`))}
          onDone={() => setAsking(false)}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  )
}

/** Right after a change of the step the water is not there yet, and no deviation has been noted either. */
function statusOf(
  { ended_because, trouble, supply_c }: Props['run'],
  measured: AppScreed['measured'],
): 'screed.trouble_too_cold' {
  const isThere = measured !== null && Math.abs(measured - supply_c) <= SCREED_TOLERANCE_K
  const status = ended_because ?? (trouble ? `trouble_${trouble}` : isThere ? 'fine' : 'not_yet')
  return `screed.${status}` as 'screed.trouble_too_cold'
}
