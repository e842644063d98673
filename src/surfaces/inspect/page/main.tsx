/** The page: tabs, and the view that is chosen. */
import { signal } from '@preact/signals';
import { render } from 'preact';
import './style.css';
import { VIEWS } from './views.ts';

const chosen = signal(VIEWS[0]!.id);

function App() {
  const view = VIEWS.find(({ id }) => id === chosen.value)!;
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = VIEWS[(VIEWS.indexOf(view) + step + VIEWS.length) % VIEWS.length]!;
    chosen.value = next.id;
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  const View = view.component;
  return (
    <>
      <header>
        <h1>Loadout</h1>
        <div role="tablist" aria-label="Views">
          {VIEWS.map(({ id, title }) => (
            <button
              key={id}
              id={`tab-${id}`}
              type="button"
              role="tab"
              aria-selected={id === view.id}
              aria-controls="view"
              tabIndex={id === view.id ? 0 : -1}
              onKeyDown={move}
              onClick={() => {
                chosen.value = id;
              }}
            >
              {title}
            </button>
          ))}
        </div>
      </header>
      <main>
        <div id="view" role="tabpanel" aria-labelledby={`tab-${view.id}`}>
          <View key={view.id} />
        </div>
      </main>
    </>
  );
}

render(<App />, document.getElementById('app')!);
