import type { AppBuilding, Calendar, CalendarPut, CalendarRule } from '@hypocaust/domain'
import { MOST_CALENDAR_RULES, NAME_MAX_LENGTH, USUAL_CALENDAR_AWAY_C } from '@hypocaust/domain/facts'
import { useState } from 'react'
import { api } from '../api/http.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, Field, Problem } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FileButton } from '../ui/file-button.tsx'
import { useDeed } from '../ui/form.ts'
import { Form } from '../ui/form-element.tsx'
import { refreshCalendars } from './refresh.ts'
import { RuleFields } from './rule-fields.tsx'

interface Props {
  building: AppBuilding
  /** Left out, a new one. */
  calendar?: Calendar
  onClose(): void
}

const NEW_RULE: CalendarRule = {
  title: '',
  room_ids: null,
  effect: 'away',
  target_temperature: USUAL_CALENDAR_AWAY_C,
}

/** A calendar and its rules. Its address is never shown again: left empty, it stays. */
export function CalendarDialog({ building, calendar, onClose }: Props) {
  const { t } = useWords()
  const { isBusy, problem, run } = useDeed()
  const [name, setName] = useState(calendar?.name ?? '')
  const [address, setAddress] = useState('')
  const [file, setFile] = useState<{ name: string; content: string }>()
  const [rules, setRules] = useState<CalendarRule[]>(calendar?.rules ?? [NEW_RULE])
  const path = `/buildings/${building.id}/calendars`
  const save = async () => {
    const source = file ? { content: file.content } : address.trim() === '' ? {} : { address: address.trim() }
    const body: CalendarPut = { name, rules, ...source }
    const isDone = await run(async () => {
      if (calendar) await api<Calendar>('PUT', `${path}/${calendar.id}`, body)
      else await api<Calendar>('POST', path, body)
      await refreshCalendars()
    })
    if (isDone) onClose()
  }
  return (
    <Dialog title={t(calendar ? 'calendars.edit_title' : 'calendars.add')} onClose={onClose}>
      <Form className="space-y-4" onSubmit={save}>
        <Field
          label={t('calendars.name')}
          required
          maxLength={NAME_MAX_LENGTH}
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Field
          label={t('calendars.address')}
          hint={t(calendar ? 'calendars.address_stays' : 'calendars.address_hint')}
          required={!calendar && !file}
          disabled={file !== undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={2048}
          value={address}
          onChange={({ target }) => setAddress(target.value)}
        />
        <FileButton
          label={t('calendars.choose_file')}
          hint={file ? t('calendars.file_chosen', { name: file.name }) : t('calendars.file_hint')}
          accept=".ics,text/calendar"
          onChoose={async (chosen) => setFile({ name: chosen.name, content: await chosen.text() })}
        />
        <h3 className="font-semibold">{t('calendars.rules')}</h3>
        <p className="text-sm text-soft">{t('calendars.rules_hint')}</p>
        {rules.map((rule, i) => (
          <RuleFields
            // biome-ignore lint/suspicious/noArrayIndexKey: a rule is being edited
            key={i}
            rooms={building.rooms}
            rule={rule}
            number={i + 1}
            onChange={(next) => setRules(rules.map((each, k) => (k === i ? next : each)))}
            onRemove={() => setRules(rules.filter((_, k) => k !== i))}
          />
        ))}
        <Button
          icon="plus"
          disabled={rules.length >= MOST_CALENDAR_RULES}
          onClick={() => setRules([...rules, NEW_RULE])}
        >
          {t('calendars.add_rule')}
        </Button>
        {problem && <Problem>{problem}</Problem>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="main" disabled={isBusy}>
            {t('save')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
