import type { AppBuilding, AppRoom, ChangeEntry, ShadowReport } from '@hypocaust/domain'
import { mayDo } from '@hypocaust/domain/facts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient, shadowQuery } from '../api/queries.ts'
import type { Formats } from '../i18n/formats.ts'
import { type Translate, useWords } from '../i18n/index.tsx'
import { Awaited } from '../ui/awaited.tsx'
import { Button, Section, Skeleton } from '../ui/basics.tsx'
import { ComparedTable } from '../ui/compared-table.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useProblemText } from '../ui/form.ts'
import { say } from '../ui/toast.tsx'

const refresh = () =>
  Promise.all(
    [buildingsKey, ['outlook'], ['explanation'], ['changes']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )

/** A room that another thermostat heats: what Hypocaust would have made of it, and the way to take it over. */
export function Shadow({ room, building }: { room: AppRoom; building: AppBuilding }) {
  const { t, format } = useWords()
  const [isAsking, setAsking] = useState(false)
  const shadow = useQuery(shadowQuery(room.id))
  const since = format.date(Date.parse(room.watched_since ?? ''), building.timezone)
  const mayTakeOver = mayDo(building.role, 'set_up')
  return (
    <Section title={t('shadow.title')}>
      <p>{t('shadow.since', { date: since })}</p>
      <Awaited of={[shadow]}>
        <Skeleton className="h-24" />
      </Awaited>
      {shadow.data && <Report report={shadow.data} />}
      {mayTakeOver && room.valves.length === 0 && <p className="text-soft">{t('shadow.no_valve')}</p>}
      {mayTakeOver && (
        <Button look="main" onClick={() => setAsking(true)}>
          {t('shadow.take_over')}
        </Button>
      )}
      {isAsking && <TakeOverDialog room={room} onClose={() => setAsking(false)} />}
    </Section>
  )
}

function Report({ report }: { report: ShadowReport }) {
  const { t, format } = useWords()
  const { other, ours } = report
  const caveat = report.state === 'ready' ? null : t(`shadow.${report.state}`)
  if (!other || !ours) return <p className="text-soft">{caveat}</p>
  const rows = [
    { label: t('shadow.below'), first: format.decimal(other.below_kh), second: format.decimal(ours.below_kh) },
    { label: t('shadow.above'), first: format.decimal(other.above_kh), second: format.decimal(ours.above_kh) },
    ...(other.heat_kwh !== null && ours.heat_kwh !== null
      ? [{ label: t('shadow.heat'), first: format.decimal(other.heat_kwh), second: format.decimal(ours.heat_kwh) }]
      : []),
  ]
  return (
    <>
      <p className="font-medium">{verdictOf(report, t, format)}</p>
      <ComparedTable
        caption={<span className="text-sm text-soft">{t('shadow.compared', { n: Math.round(report.days) })}</span>}
        heads={[t('shadow.other'), t('product')]}
        rows={rows}
      />
      {caveat && <p className="text-sm text-soft">{caveat}</p>}
      <p className="text-sm text-soft">{t('shadow.how')}</p>
    </>
  )
}

/** In words, with the uncertainty; a difference within it is none. */
export function verdictOf(
  { kelvin_hours: kh, heat_percent: heat }: ShadowReport,
  t: Translate,
  format: Formats,
): string {
  const sentences = []
  if (kh) {
    const key = Math.abs(kh.value) <= kh.plus_minus ? 'same' : kh.value < 0 ? 'better' : 'worse'
    const values = { kh: format.decimal(Math.abs(kh.value)), error: format.decimal(kh.plus_minus) }
    sentences.push(t(`shadow.comfort_${key}`, values))
  }
  if (heat) {
    const key = Math.abs(heat.value) <= heat.plus_minus ? 'same' : heat.value < 0 ? 'less' : 'more'
    const values = { percent: format.whole(Math.abs(heat.value)), error: format.whole(heat.plus_minus) }
    sentences.push(t(`shadow.heat_${key}`, values))
  }
  return sentences.join(' ')
}

function TakeOverDialog({ room, onClose }: { room: AppRoom; onClose(): void }) {
  const { t } = useWords()
  const problemText = useProblemText()
  const undo = async () => {
    try {
      await undoTakeOver(room)
      await refresh()
    } catch (error) {
      say({ text: problemText(error) })
    }
  }
  return (
    <ConfirmDialog
      title={t('shadow.take_over_title', { room: room.name })}
      text={t('shadow.take_over_text')}
      action={t('shadow.take_over')}
      onConfirm={() => api('PATCH', `/rooms/${room.id}`, { only_watch: false })}
      onDone={async () => {
        await refresh()
        say({ text: t('shadow.taken_over', { room: room.name }), undo: () => void undo() })
        onClose()
      }}
      onClose={onClose}
    />
  )
}

/** By the change log, so that the days watched before still count. */
async function undoTakeOver({ id, building_id }: AppRoom): Promise<void> {
  const path = `/buildings/${building_id}/changes`
  const { changes } = await api<{ changes: ChangeEntry[] }>('GET', `${path}?room=${id}`)
  const entry = changes.find(({ field }) => field === 'only_watch')
  if (entry) await api('POST', `${path}/${entry.sequence}/undo`)
}
