import type { OverviewEntry } from '@hypocaust/domain'
import { NEEDS } from '@hypocaust/domain/facts'
import { useWords } from '../i18n/index.tsx'
import { Field } from '../ui/basics.tsx'
import { Picker } from '../ui/picker.tsx'
import { countOf, type NeedFilter, type Sort, tagsOf, type View } from './arrange.ts'

const FILTERS: NeedFilter[] = ['all', ...NEEDS]
const SORTS: Sort[] = ['need', 'coldest', 'name']

interface ToolsProps {
  entries: OverviewEntry[]
  view: View
  onChange(part: Partial<View>): void
  /** Enter in the search field. */
  onEnter(): void
}

/** Search, filter and order of a long list. */
export function Tools({ entries, view, onChange, onEnter }: ToolsProps) {
  const { t } = useWords()
  const tags = tagsOf(entries)
  const countIn = (need: NeedFilter) => `${t(`list.need_${need}`)} ${countOf(entries, need)}`
  return (
    <search className="mb-4 grid grid-cols-3 items-end gap-2 sm:gap-3 lg:grid-cols-[1fr_14rem_10rem_10rem]">
      <div className="col-span-3 lg:col-span-1">
        <Field
          type="search"
          label={t('list.search')}
          placeholder={t('list.search_hint')}
          autoComplete="off"
          enterKeyHint="go"
          value={view.search}
          onChange={(event) => onChange({ search: event.target.value })}
          onKeyDown={({ key }) => key === 'Enter' && onEnter()}
        />
      </div>
      <Picker<NeedFilter>
        label={t('list.show')}
        value={view.need}
        choices={FILTERS.map((value) => ({ value, label: countIn(value) }))}
        onChange={(need) => onChange({ need })}
      />
      {tags.length > 0 && (
        <Picker
          label={t('list.tag')}
          value={view.tag ?? ''}
          choices={[{ value: '', label: t('list.any_tag') }, ...tags.map((value) => ({ value, label: value }))]}
          onChange={(tag) => onChange({ tag: tag || null })}
        />
      )}
      <Picker<Sort>
        label={t('list.sort')}
        value={view.sort}
        choices={SORTS.map((value) => ({ value, label: t(`list.sort_${value}`) }))}
        onChange={(sort) => onChange({ sort })}
      />
    </search>
  )
}
