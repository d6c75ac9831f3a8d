import type { AppLoops } from '@hypocaust/domain'
import { LOOP_FIGURES, type LoopFigure } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { loopsQuery, queryClient } from '../api/queries.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { OptionalAmountField } from './amount-field.tsx'

type Loop = AppLoops['loops'][number]

const FIGURES = Object.keys(LOOP_FIGURES) as LoopFigure[]

interface Props {
  buildingId: string
  loop: Loop
  name: string
}

/** What was built in for a loop is entered in a dialog; it is for the record, and steers nothing. */
export function LoopDetailsButton(props: Props) {
  const { t } = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('record.enter', { loop: props.name })}</Button>
      {isOpen && <LoopDetailsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function LoopDetailsDialog({ buildingId, loop, name, onClose }: Props & { onClose(): void }) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const { gateway_id, channel, length_m, spacing_mm, covering, design_flow_l_min } = loop
  const [draft, setDraft] = useState({ length_m, spacing_mm, covering, design_flow_l_min })
  const save = async () => {
    const isSaved = await run(async () => {
      const body = { gateway_id, channel, ...draft, covering: draft.covering?.trim() || null }
      const loops = await api<AppLoops>('PUT', `/buildings/${buildingId}/loops/details`, body)
      queryClient.setQueryData(loopsQuery(buildingId).queryKey, loops)
    })
    if (isSaved) onClose()
  }
  return (
    <Dialog title={name} onClose={onClose}>
      <Form onSubmit={save}>
        {FIGURES.map((figure) => (
          <OptionalAmountField
            key={figure}
            label={t(`record.${figure}`)}
            limits={LOOP_FIGURES[figure]}
            value={draft[figure] ?? undefined}
            onChange={(value) => setDraft({ ...draft, [figure]: value ?? null })}
          />
        ))}
        <Field
          label={t('record.covering')}
          maxLength={100}
          value={draft.covering ?? ''}
          onChange={({ currentTarget }) => setDraft({ ...draft, covering: currentTarget.value })}
        />
        {problem && <Problem>{problem}</Problem>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button look="main" type="submit" disabled={isBusy}>
            {t('record.save')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
