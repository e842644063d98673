/** The page: tabs, and the view that is chosen. */
import { render } from 'preact';
import './style.css';
import { saveView } from './save.ts';
import { view as chosen, isStatic } from './state.ts';
import { VIEWS } from './views.ts';

function App() {
  const view = VIEWS.find(({ id }) => id === chosen.value) ?? VIEWS[0]!;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: VIEWS.indexOf(view) + 1,
    ArrowLeft: VIEWS.indexOf(view) - 1,
    Home: 0,
    End: VIEWS.length - 1,
  };
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = VIEWS[(step + VIEWS.length) % VIEWS.length]!;
    chosen.value = next.id;
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  const View = view.component;
  return (
    <>
      <header>
        <h1>Loadout</h1>
        <div role="tablist" aria-label="Views">
          {VIEWS.filter(({ id }) => !isStatic || id === view.id).map(({ id, title }) => (
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
        {isStatic ? (
          <p class="aside">A saved view. Nothing in it can be changed.</p>
        ) : (
          <button type="button" class="aside" onClick={() => void saveView()}>
            Save this view as a file
          </button>
        )}
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
