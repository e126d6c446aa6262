//! Engines in other processes behind the face of [`Subject`](super::Subject): what UCI and xboard clients say, turned into
//! what is found. Knows no arena; Chess960 is switched on where the start position needs it.

use super::player::{Found, Info, Pv};
use super::spec::EngineSpec;
use crate::notation::fen;
use crate::rules::Line;
use crate::types::{Bound, Limit};
use crate::uci::{Client, ClientError, CommandSpec, Reply, Session, XboardClient};
use std::time::Duration;

/// Starts an xboard engine with its tables and threads. A limit that it cannot keep is an error before anything is played.
pub(super) fn start_xboard(
    spec: &EngineSpec,
    command: &CommandSpec,
    session: &Session,
    warnings: &mut Vec<String>,
) -> Result<XboardClient, ClientError> {
    let mut client = XboardClient::spawn(command, session)?;
    if spec.limit.nodes.is_some() {
        client.check_nodes()?;
    }
    if let Some(mib) = spec.hash_mib
        && !client.set_memory(mib)?
    {
        warnings.push(format!("engine {}: has no command memory; hash left as it is", spec.name));
    }
    if let Some(threads) = spec.threads
        && !client.set_cores(threads)?
        && threads > 1
    {
        warnings.push(format!("engine {}: has no command cores; threads left as they are", spec.name));
    }
    Ok(client)
}

pub(super) fn search_uci(
    client: &mut Client,
    line: &Line,
    limit: &Limit,
    deadline: Duration,
    on_info: &mut dyn FnMut(&Info<'_>),
) -> Result<Found, ClientError> {
    let chess960 = fen::needs_chess960(line.start());
    let reply = client.search(line, limit, chess960, deadline, &mut |info, time| {
        // Other lines of MultiPV, and moves just begun, are nobody's progress.
        if info.multipv.unwrap_or(1) != 1 || info.currmove.is_some() {
            return;
        }
        on_info(&Info {
            depth: info.depth,
            seldepth: info.seldepth,
            score: info.score,
            bound: info.bound,
            nodes: info.nodes,
            interior_nodes: None,
            time,
            hashfull: info.hashfull,
            pv: Pv::Text(info.pv),
        });
    })?;
    Ok(found(reply))
}

pub(super) fn search_xboard(
    client: &mut XboardClient,
    line: &Line,
    limit: &Limit,
    deadline: Duration,
    on_info: &mut dyn FnMut(&Info<'_>),
) -> Result<Found, ClientError> {
    let chess960 = fen::needs_chess960(line.start());
    let reply = client.search(line, limit, chess960, deadline, &mut |thinking, time| {
        on_info(&Info {
            depth: Some(thinking.depth),
            seldepth: None,
            score: thinking.score,
            bound: Bound::Exact,
            nodes: Some(thinking.nodes),
            interior_nodes: None,
            time,
            hashfull: None,
            pv: Pv::Moves(thinking.pv),
        });
    })?;
    // The last line of thinking may be long before the move: its time says nothing about latency.
    Ok(Found { reported_time: None, ..found(reply) })
}

fn found(reply: Reply) -> Found {
    let summary = reply.summary;
    Found {
        best: reply.best,
        ponder: reply.ponder,
        answer: reply.text,
        score: summary.score,
        bound: summary.bound,
        wdl: summary.wdl,
        depth: summary.depth,
        seldepth: summary.seldepth,
        nodes: summary.nodes,
        interior_nodes: None,
        hashfull: summary.hashfull,
        time: reply.time,
        reported_time: summary.time_ms.map(Duration::from_millis),
        pondered: reply.pondered,
        obeyed: !reply.stopped,
        declined: reply.declined,
    }
}
