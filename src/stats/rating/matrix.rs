//! A symmetric matrix and its inverse. Must not know what is in it.

/// Square and symmetric, row by row.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    n: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(n: usize) -> Matrix {
        Matrix { n, cells: vec![0.0; n * n] }
    }

    pub(super) fn at(&self, i: usize, j: usize) -> f64 {
        self.cells[i * self.n + j]
    }

    pub(super) fn add(&mut self, i: usize, j: usize, value: f64) {
        self.cells[i * self.n + j] += value;
    }

    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.cells[i * self.n..(i + 1) * self.n]
    }

    /// The Cholesky factor, in the lower half; none unless the matrix is positive definite.
    fn factor(&self) -> Option<Matrix> {
        let n = self.n;
        let mut factor = self.clone();
        for j in 0..n {
            let (above, below) = factor.cells.split_at_mut(j * n);
            let row_j = &mut below[..n];
            // Forward substitution within row j.
            for k in 0..j {
                let row_k = &above[k * n..k * n + k + 1];
                let dot: f64 = row_k[..k].iter().zip(&row_j[..k]).map(|(x, y)| x * y).sum();
                row_j[k] = (row_j[k] - dot) / row_k[k];
            }
            let pivot = row_j[j] - row_j[..j].iter().map(|x| x * x).sum::<f64>();
            // What is left of the diagonal after so much cancellation is rounding.
            if pivot.is_nan() || pivot <= 1e-13 * self.at(j, j).abs() {
                return None;
            }
            row_j[j] = pivot.sqrt();
        }
        Some(factor)
    }

    /// Solves `self x = right`.
    pub(super) fn solve(&self, right: &[f64]) -> Option<Vec<f64>> {
        let factor = self.factor()?;
        let mut x = right.to_vec();
        for i in 0..self.n {
            let dot: f64 = factor.row(i)[..i].iter().zip(&x).map(|(f, x)| f * x).sum();
            x[i] = (x[i] - dot) / factor.at(i, i);
        }
        for i in (0..self.n).rev() {
            x[i] /= factor.at(i, i);
            let value = x[i];
            for (x, f) in x[..i].iter_mut().zip(factor.row(i)) {
                *x -= f * value;
            }
        }
        Some(x)
    }

    pub(super) fn inverse(&self) -> Option<Matrix> {
        let n = self.n;
        let factor = self.factor()?;
        // Row by row, the inverse of the factor, transposed: row i holds column i.
        let mut columns = Matrix::zero(n);
        for i in 0..n {
            for j in i..n {
                let dot: f64 =
                    factor.row(j)[i..j].iter().zip(&columns.row(i)[i..j]).map(|(f, c)| f * c).sum();
                let unit = if i == j { 1.0 } else { 0.0 };
                columns.cells[i * n + j] = (unit - dot) / factor.at(j, j);
            }
        }
        let mut inverse = Matrix::zero(n);
        for i in 0..n {
            for j in 0..=i {
                let dot: f64 = columns.row(i)[i..].iter().zip(&columns.row(j)[i..]).map(|(x, y)| x * y).sum();
                inverse.cells[i * n + j] = dot;
                inverse.cells[j * n + i] = dot;
            }
        }
        Some(inverse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_times_matrix_is_one() {
        let n = 12;
        let mut m = Matrix::zero(n);
        for i in 0..n {
            for j in 0..n {
                // A Hilbert matrix with a heavier diagonal.
                m.add(i, j, 1.0 / (i + j + 1) as f64 + if i == j { 0.1 } else { 0.0 });
            }
        }
        let inverse = m.inverse().unwrap();
        for i in 0..n {
            for j in 0..n {
                let product: f64 = (0..n).map(|k| m.at(i, k) * inverse.at(k, j)).sum();
                assert!((product - if i == j { 1.0 } else { 0.0 }).abs() < 1e-12);
            }
        }
        let x = m.solve(m.row(3)).unwrap();
        assert!((x[3] - 1.0).abs() < 1e-12 && x[4].abs() < 1e-12);
        let mut singular = Matrix::zero(2);
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            singular.add(i, j, 1.0);
        }
        assert!(singular.inverse().is_none());
    }
}
