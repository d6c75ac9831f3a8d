import { useState } from 'react'
import { useWords } from '../i18n/index.tsx'
import { Button } from './basics.tsx'

/** A value to take along, and one button to take it. */
export function CopyField({ label, value, onCopied }: { label: string; value: string; onCopied?(): void }) {
  const { t } = useWords()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(value)
    setCopied(true)
    onCopied?.()
  }
  return (
    <div className="space-y-1">
      <p className="text-sm font-medium">{label}</p>
      <div className="flex items-stretch gap-2">
        <code className="min-w-0 flex-1 select-all self-center overflow-x-auto whitespace-pre-wrap [overflow-wrap:anywhere] rounded-xl bg-sunken p-3 font-mono text-sm">
          {value}
        </code>
        <Button icon={isCopied ? 'check' : 'copy'} onClick={copy} aria-label={t(isCopied ? 'copied' : 'copy')}>
          <span className="max-sm:hidden">{t(isCopied ? 'copied' : 'copy')}</span>
        </Button>
      </div>
      <span role="status" className="sr-only">
        {isCopied ? t('copied') : ''}
      </span>
    </div>
  )
}

/** Over plain HTTP on a LAN the browser has no clipboard for pages; an old way still works. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
