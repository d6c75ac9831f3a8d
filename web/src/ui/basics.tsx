import { type ButtonHTMLAttributes, type InputHTMLAttributes, type ReactNode, useEffect, useId, useRef } from 'react'
import { useWords } from '../i18n/index.tsx'
import { Link, type LinkProps } from '../routing/link.tsx'
import { Icon, type IconName } from './icon.tsx'
import { useValidity } from './validity.ts'

const LOOKS = {
  main: 'bg-accent text-on-accent hover:opacity-90',
  plain: 'border border-edge bg-raised text-ink hover:bg-sunken',
  quiet: 'text-ink hover:bg-sunken',
  danger: 'border border-alert text-alert hover:bg-alert-fill',
} as const

const BUTTON =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-xl px-4 text-base font-medium disabled:opacity-50'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { look?: keyof typeof LOOKS; icon?: IconName }

export function Button({ look = 'plain', icon, children, className = '', type = 'button', ...rest }: ButtonProps) {
  return (
    <button type={type} className={`${BUTTON} ${LOOKS[look]} ${className}`} {...rest}>
      {icon && <Icon name={icon} className="size-5" />}
      {children}
    </button>
  )
}

type ButtonLinkProps = LinkProps & { look?: keyof typeof LOOKS; icon?: IconName; children: ReactNode }

export function ButtonLink({ look = 'plain', icon, children, ...rest }: ButtonLinkProps) {
  return (
    <Link className={`${BUTTON} ${LOOKS[look]}`} {...rest}>
      {icon && <Icon name={icon} className="size-5" />}
      {children}
    </Link>
  )
}

const CONTROL = 'block w-full min-h-11 rounded-xl border border-edge bg-raised px-3 py-2 text-base text-ink'

type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  hint?: ReactNode
  /** Why the value cannot be accepted, where only the page knows. */
  complaint?: string | undefined
  /** Buttons on both sides of the value. */
  steps?: { less: ReactNode; more: ReactNode }
}

export function Field({ label, hint, complaint, steps, ...rest }: FieldProps) {
  const id = useId()
  const inWords = useValidity()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.setCustomValidity(complaint ?? ''), [complaint])
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      <div className="relative">
        <input
          ref={input}
          id={id}
          className={`${CONTROL} ${steps ? 'px-12 text-center tabular-nums' : ''}`}
          aria-describedby={hint ? `${id}-hint` : undefined}
          {...inWords}
          {...rest}
        />
        {steps && (
          <>
            <span className="absolute inset-y-0 left-0">{steps.less}</span>
            <span className="absolute inset-y-0 right-0">{steps.more}</span>
          </>
        )}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
    </div>
  )
}

/** Two groups of sections: one under the other, side by side on a wide screen. Nothing moves from one to the other. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className="gap-4 space-y-4 xl:grid xl:grid-cols-2 xl:items-start">{children}</div>
}

export function Column({ children }: { children: ReactNode }) {
  return <div className="space-y-4">{children}</div>
}

/** Every page has one heading, and it gets the focus: a screen reader then says where one is. */
export function PageTitle({ children, back }: { children: string; back?: LinkProps }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { t } = useWords()
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    document.title = `${children} · ${t('product')}`
  }, [children, t])
  return (
    <div className="flex min-h-14 items-center gap-1">
      {back && (
        <Link
          {...back}
          aria-label={t('back')}
          className="-ml-2 flex size-11 items-center justify-center rounded-xl hover:bg-sunken print:hidden"
        >
          <Icon name="back" />
        </Link>
      )}
      <h1 ref={heading} tabIndex={-1} className="min-w-0 flex-1 py-1 text-2xl leading-tight font-semibold break-words">
        {children}
      </h1>
    </div>
  )
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="card space-y-4 p-4 sm:p-5">
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** An empty place says what to do next. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="card flex flex-col items-center gap-4 px-6 py-10 text-center">
      <Icon name={icon} className="size-10 text-faint" />
      <p className="max-w-prose text-soft">{title}</p>
      {children}
    </div>
  )
}

/** What went wrong, said where it happened. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="flex items-start gap-2 rounded-xl bg-alert-fill p-3 text-alert">
      <Icon name="warning" className="mt-0.5 size-5" />
      <span className="min-w-0 whitespace-pre-line break-words">{children}</span>
    </p>
  )
}

/** What opens a `details` of class `group`. */
export function Summary({ children }: { children: ReactNode }) {
  return (
    <summary className="inline-flex min-h-11 list-none items-center gap-1.5 text-soft [&::-webkit-details-marker]:hidden">
      {children}
      <Icon
        name="down"
        className="size-4 transition-transform duration-150 group-open:rotate-180 motion-reduce:transition-none"
      />
    </summary>
  )
}

export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden="true" className={`skeleton ${className}`} />
}
