/** The view Sessions: what each hook added or why it was silent, and what the agent then did with it. */
import type { SessionsData } from '../../sessions-data.ts';
import { useData } from '../ask.ts';
import { Figures, Status, shownNumber, shownShare, shownTime, Table, useSome } from '../parts.tsx';
import type { View } from '../view.ts';

type Session = SessionsData['sessions'][number];
type Answer = Session['answers'][number];
type Place = Answer['places'][number];

const USES: Readonly<Record<Place['use'], string>> = {
  edited: 'edited',
  read: 'read',
  file: 'other lines of the file',
  none: 'not used',
  unknown: 'not known',
};

/** How often the records are read again, in milliseconds: an agent may be at work. */
const AGAIN_MS = 5_000;

function Sessions() {
  const asked = useData<SessionsData>('sessions', {}, AGAIN_MS);
  const { value } = asked;
  return (
    <>
      {value ? null : <Status asked={asked} />}
      {value ? <Shown data={value} /> : null}
    </>
  );
}

function Shown({ data: { totals, sessions, sessionsLeftOut, isRecording } }: { data: SessionsData }) {
  const { some, more } = useSome(sessions, 20);
  return (
    <div class="sessions">
      {isRecording ? null : (
        <p role="note" class="status problem">
          The setting hookRecords is off, so nothing new is recorded.
        </p>
      )}
      {sessions.length === 0 ? (
        <p class="empty">
          No hook has answered in this repository yet. "loadout init claude" sets the hooks up; "loadout init
          --help" lists the other agents.
        </p>
      ) : (
        <Figures
          rows={[
            ['spoke', `${shownNumber(totals.spoke)} of ${shownNumber(totals.answers)}`],
            ['hit rate', shownShare(totals.hitRate)],
            ['places told', shownNumber(totals.injected)],
            ['files missed', shownNumber(totals.misses)],
            ['tokens', shownNumber(totals.tokens)],
          ]}
        />
      )}
      {some.map((session, at) => (
        <details key={`${session.client} ${session.id}`} open={at === 0} class="card">
          <summary>
            <time dateTime={session.endedAt}>{shownTime(session.endedAt)}</time>{' '}
            <strong>{session.client}</strong> spoke {shownNumber(session.totals.spoke)} of{' '}
            {shownNumber(session.totals.answers)} times, hit rate {shownShare(session.totals.hitRate)}
          </summary>
          {session.answersLeftOut > 0 ? (
            <p class="note">{shownNumber(session.answersLeftOut)} earlier answers are not listed.</p>
          ) : null}
          <ol class="timeline">
            {session.answers.map((answer, place) => (
              <AnswerItem key={place} answer={answer} />
            ))}
          </ol>
          <Files session={session} />
        </details>
      ))}
      {more}
      {sessionsLeftOut > 0 ? (
        <p class="note">{shownNumber(sessionsLeftOut)} older sessions are counted and not listed.</p>
      ) : null}
    </div>
  );
}

function AnswerItem({ answer }: { readonly answer: Answer }) {
  const { at, event, spoke, reason, characters, tokens, milliseconds, prompt, places, misses } = answer;
  const size = tokens === null ? `${shownNumber(characters)} characters` : `${shownNumber(tokens)} tokens`;
  return (
    <li class={spoke ? 'spoke' : 'silent'}>
      <p>
        <time dateTime={at}>{shownTime(at).slice(11)}</time> {event}{' '}
        <strong>{spoke ? `added ${size}` : 'silent'}</strong>{' '}
        <span class="note">
          {reason}, {shownNumber(milliseconds)} ms
        </span>
      </p>
      {prompt === '' ? null : <blockquote>{prompt}</blockquote>}
      {places.length === 0 ? null : (
        <Table head={['place', 'definition', 'shown', 'then']}>
          {places.map((place, index) => (
            <tr key={index}>
              <th scope="row">
                {place.path}
                {place.lines === null ? '' : `:${place.lines[0]}-${place.lines[1]}`}
              </th>
              <td>{place.name ?? ''}</td>
              <td>{place.shown === 'code' ? 'code' : 'name only'}</td>
              <td>
                <span class={`use ${place.use}`}>{USES[place.use]}</span>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {misses.length === 0 ? null : (
        <p class="missed">
          Missed:{' '}
          {misses.map(({ path, how }) => `${path} (${how === 'edit' ? 'edited' : 'read'})`).join(', ')}
        </p>
      )}
    </li>
  );
}

function Files({ session: { files } }: { readonly session: Session }) {
  if (files.length === 0) return <p class="note">The client has told of no file that the agent used.</p>;
  return (
    <Table head={['file that the agent used', 'reads', 'edits', 'was told of it']}>
      {files.map(({ path, reads, edits, wasTold }) => (
        <tr key={path}>
          <th scope="row">{path}</th>
          <td class="number">{shownNumber(reads)}</td>
          <td class="number">{shownNumber(edits)}</td>
          <td>{wasTold ? 'yes' : 'no'}</td>
        </tr>
      ))}
    </Table>
  );
}

export const sessionsView: View = { id: 'sessions', title: 'Sessions', component: Sessions };
