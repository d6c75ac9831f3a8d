// The first formatter of a kind makes the browser read its tables for numbers and dates, which would keep a phone busy
// for a tenth of a second. Read in a thread of its own they are there for the page as well, before it needs them.
new Intl.NumberFormat()
new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
new Intl.ListFormat()
new Intl.PluralRules()
close()
