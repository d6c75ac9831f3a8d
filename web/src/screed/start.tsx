import type { AppScreed, ScreedStart } from '@hypocaust/domain'
import { hoursOf, SCREED_PROGRAMMES, type ScreedProgramme, screedSteps } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { buildingsKey, queryClient, screedQuery } from '../api/queries.ts'
import type { Key } from '../i18n/catalogue.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, ButtonLink } from '../ui/basics.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { FileButton } from '../ui/file-button.tsx'
import { DegreesField } from '../ui/number-field.tsx'
import { Picker } from '../ui/picker.tsx'

interface Props {
  buildingId: string
  screed: AppScreed
}

const RESTARTS = ['never', '24', '72'] as const

/** What keeps a programme from being started in this building. */
function obstacle({ max, measured, loops }: AppScreed): Key | null {
  if (max === null) return 'screed.not_asked'
  if (loops === 0) return 'screed.no_loops'
  return measured === null ? 'screed.not_measured' : null
}

/** A programme is chosen, and started after a question: it opens loops for days. */
export function ScreedStartForm({ buildingId, screed }: Props) {
  const { t, format } = useWords()
  const [programme, setProgramme] = useState<ScreedProgramme>('functional')
  const [chosen, setMax] = useState<number>()
  const [file, setFile] = useState<{ name: string; text: string }>()
  const [restart, setRestart] = useState<(typeof RESTARTS)[number]>('24')
  const [isAsking, setAsking] = useState(false)
  const why = obstacle(screed)
  const { min, max: mostC, loops } = screed
  if (why !== null || min === null || mostC === null) {
    return (
      <>
        <p>{t(why ?? 'screed.not_asked')}</p>
        {mostC === null && (
          <ButtonLink to="/buildings/$buildingId/settings" params={{ buildingId }}>
            {t('building.settings')}
          </ButtonLink>
        )}
      </>
    )
  }
  const max = chosen ?? mostC
  const body: ScreedStart = {
    programme,
    ...(programme === 'own' ? { file: file?.text ?? '' } : { max }),
    restart_after_hours: restart === 'never' ? null : Number(restart),
  }
  const days = programme === 'own' ? null : hoursOf(screedSteps(programme, max)) / 24
  return (
    <div className="space-y-4">
      <p className="text-soft">{t('screed.about')}</p>
      <Picker<ScreedProgramme>
        label={t('screed.programme')}
        hint={t(`screed.${programme}_hint`)}
        value={programme}
        choices={SCREED_PROGRAMMES.map((value) => ({ value, label: t(`screed.${value}`) }))}
        onChange={setProgramme}
      />
      {programme === 'own' ? (
        <FileButton
          label={file?.name ?? t('screed.choose')}
          hint={t('screed.file_hint')}
          accept=".yaml,.yml"
          onChoose={async (each) => setFile({ name: each.name, text: await each.text() })}
        />
      ) : (
        <DegreesField
          label={t('screed.max', { unit: format.unitName })}
          value={max}
          min={min}
          max={mostC}
          step={1}
          onChange={setMax}
        />
      )}
      <Picker<(typeof RESTARTS)[number]>
        label={t('screed.restart')}
        value={restart}
        choices={RESTARTS.map((value) => ({ value, label: t(`screed.restart_${value}`) }))}
        onChange={setRestart}
      />
      <Button look="main" disabled={programme === 'own' && !file} onClick={() => setAsking(true)}>
        {t('screed.start')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('screed.ask')}
          text={days === null ? t('screed.ask_own', { loops }) : t('screed.ask_text', { loops, days })}
          action={t('screed.start')}
          onConfirm={async () =>
            noteScreed(buildingId, await api<AppScreed>('POST', `/buildings/${buildingId}/screed`, body))
          }
          onDone={() => setAsking(false)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

export function noteScreed(buildingId: string, screed: AppScreed): void {
  queryClient.setQueryData(screedQuery(buildingId).queryKey, screed)
  for (const queryKey of [buildingsKey, ['outlook'], ['screed-record']])
    void queryClient.invalidateQueries({ queryKey })
}
